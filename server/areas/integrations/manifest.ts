import type { Config } from '../../config.ts'
import { isHere } from './heard.ts'

/** GitHub takes no longer name. */
const mostOfName = 34

/** What the App is to be: GitHub makes it of this. */
export function manifestOf({ PUBLIC_URL: url }: Pick<Config, 'PUBLIC_URL'>) {
  const { host, hostname } = new URL(url)
  return {
    name: `Slipway ${host}`.slice(0, mostOfName),
    url,
    // GitHub refuses an address that it cannot reach. Without webhooks nothing deploys by itself, and all else works.
    ...(!isHere(hostname) && { hook_attributes: { url: `${url}/v1/events/github`, active: true } }),
    redirect_url: `${url}/dashboard/integrations/github/app`,
    // Whoever installs the App is led to the first.
    callback_urls: [`${url}/dashboard/integrations/github/callback`, `${url}/login/success`],
    request_oauth_on_install: true,
    // One that is not public can be installed on its owner’s account alone, and nobody else could sign in with it.
    public: true,
    default_permissions: {
      contents: 'read',
      metadata: 'read',
      statuses: 'write',
      pull_requests: 'read',
      members: 'read',
      emails: 'read',
    },
    default_events: ['push', 'repository'],
  }
}
