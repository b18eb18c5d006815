import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Fault, planFaults } from './faults.ts'
import { repositoriesOf } from './github/repositories.ts'
import { serve } from './github/serve.ts'
import { addApp, type GitHubAccount, install, type Installation, makeState } from './github/state.ts'
import { type DeliveryOptions, send, sendInstallation } from './github/webhooks.ts'
import { startHttpService } from './http-service.ts'

export type FakeGitHub = Awaited<ReturnType<typeof startFakeGitHub>>

const permissions = {
  contents: 'read',
  metadata: 'read',
  statuses: 'write',
  pull_requests: 'read',
  members: 'read',
  email_addresses: 'read',
} as const

/**
 * GitHub, as strict as the real one: login, Apps and their installations, the API, repositories that git can fetch,
 * and webhooks. It has one App, which redirects users to `callback` after login. With `host` it listens where servers
 * of the rig reach it.
 */
export async function startFakeGitHub(
  callback = 'http://slipway.test/login/success',
  { host = '127.0.0.1' } = {},
) {
  const faults = planFaults()
  const asked: string[] = []
  const folder = await mkdtemp(join(tmpdir(), 'slipway-github-'))
  const service = await startHttpService((request, response) => {
    const at = new URL(request.url ?? '/', service.url)
    asked.push(`${request.method} ${at.pathname}`)
    return faults.inject(at.pathname, response) ? undefined : serve(state, request, response, at)
  }, host)
  const { url } = service
  const state = makeState(url, folder)

  function addAccount(login: string, given: Partial<GitHubAccount> = {}): GitHubAccount {
    const emails = [{ email: `${login}@example.com`, primary: true, verified: true }]
    const defaults = { id: state.nextId(), login, name: null, type: 'User' as const, emails, members: {} }
    const account = { ...defaults, ...given }
    state.accounts.set(login, account)
    return account
  }

  const app = addApp(
    state,
    {
      name: 'Slipway test',
      owner: addAccount('slipway-operator'),
      public: true,
      callbacks: [`${new URL(callback).origin}/dashboard/integrations/github/callback`, callback],
      hookUrl: undefined,
      permissions,
      events: ['push', 'repository'],
    },
    'Iv1.slipway',
  )
  const env = {
    GITHUB_URL: url,
    GITHUB_API_URL: url,
    GITHUB_CLIENT_ID: app.client.id,
    GITHUB_CLIENT_SECRET: app.client.secret,
  }
  const adminOf = ({ account }: Installation) => {
    const admin = Object.keys(account.members).find((login) => account.members[login] === 'admin')
    return state.accounts.get(admin ?? '') ?? account
  }

  return {
    url,
    /** Every request, as "GET /user". */
    asked,
    state,
    app,
    /** Slipway's settings for login alone. */
    env,
    /** Slipway's settings with the keys of the App. */
    appEnv: {
      ...env,
      GITHUB_APP_ID: String(app.id),
      GITHUB_APP_PRIVATE_KEY: app.pem,
      GITHUB_WEBHOOK_SECRET: app.webhookSecret,
    },
    addAccount,
    addOrganization: (login: string, members: GitHubAccount['members']) =>
      addAccount(login, { type: 'Organization', members }),
    ...repositoriesOf(state),
    /** Installs the App on an account without a webhook. */
    installApp: (login: string, repositories: 'all' | string[] = 'all') =>
      install(state, app, state.accounts.get(login) ?? addAccount(login), repositories),
    async suspend(installation: Installation, isSuspended = true) {
      installation.suspendedAt = isSuspended ? new Date() : null
      const action = isSuspended ? 'suspend' : 'unsuspend'
      return sendInstallation(state, installation, action, adminOf(installation))
    },
    async uninstall(installation: Installation) {
      state.installations.delete(installation.id)
      return sendInstallation(state, installation, 'deleted', adminOf(installation))
    },
    /** Posts any event to the App. */
    send: (event: string, payload: object, options?: DeliveryOptions) => send(app, event, payload, options),
    ping: () => send(app, 'ping', { zen: 'Keep it logically awesome.', hook_id: 292430182 }),
    /**
     * Opens a page as a user, approves, and gives the query of the redirect. On the page that installs an App,
     * `account` is where it is installed and `repositories` are those selected.
     */
    async approve(
      page: string,
      user: string,
      given: { account?: string; repositories?: string[]; manifest?: string } = {},
    ): Promise<URLSearchParams> {
      const { account, repositories, manifest } = given
      const cookies = { user, account, repositories: repositories?.join(',') }
      const cookie = Object.entries(cookies).flatMap(([name, value]) => (value ? `${name}=${value}` : []))
      const response = await fetch(page, {
        headers: { cookie: cookie.join('; ') },
        redirect: 'manual',
        ...(manifest && { method: 'POST', body: new URLSearchParams({ manifest }) }),
      })
      const location = response.headers.get('location')
      if (!location) throw new Error(`No redirect: ${response.status} ${await response.text()}`)
      return new URL(location).searchParams
    },
    expireCodes() {
      for (const grant of state.codes.values()) grant.until = 0
    },
    /** Expires all installation tokens. */
    expireTokens() {
      for (const token of state.installationTokens.values()) token.until = 0
    },
    limitRate: state.limit.restrict,
    liftRate: state.limit.lift,
    /** Makes a path fail, so many times or until it is cleared; with a star at its end, all that begin like it. */
    fail: (path: string, fault: Fault | undefined, times?: number) => faults.set(path, fault, times),
    /** Closes the connections of requests that got no response. */
    letGo: () => faults.release(),
    async close() {
      faults.release()
      try {
        await service.close()
      } finally {
        await rm(folder, { recursive: true, force: true, maxRetries: 5 })
      }
    },
  }
}
