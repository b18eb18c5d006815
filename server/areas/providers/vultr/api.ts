import { z } from 'zod'
import type { Api } from '../api-client.ts'
import type { CloudErrorKind } from '../cloud-errors.ts'

const refusal = z.object({ error: z.string() })
const pages = z.object({ meta: z.object({ links: z.object({ next: z.string().min(1) }) }) })

/** Vultr has no error codes and returns 400 for most errors, so match messages. */
const kinds: [RegExp, CloudErrorKind][] = [
  [/unauthorized ip/i, 'right'],
  [/currently locked|pending destruction/i, 'locked'],
  [/maximum number of|limit .*(reached|exceeded)|exceed.* limit/i, 'quota'],
  [/(plan|server|type).* not (currently )?available|sold out|out of stock|capacity/i, 'sold_out'],
]

const missing = /^invalid (instance|server|ssh[ -]?key)( id)?\.?$/i

export const vultrApi: Api = {
  name: 'Vultr',
  tokenHelp:
    'Enable the API in the account settings and, under Access Control, allow the IP address of Slipway. The user of the key needs permission to provision and manage servers.',
  maxPageSize: '500',
  base: (config) => config.VULTR_API_URL,
  parseError(body) {
    const { data } = refusal.safeParse(body)
    return { code: '', message: data?.error ?? '' }
  },
  /** Vultr returns 400 for missing objects, too. */
  isMissing: (status, { message }) => status === 400 && missing.test(message),
  kindOf(status, { message }) {
    // Vultr restricts keys to allowed IP addresses.
    if ((status === 401 || status === 403) && /\bip\b/i.test(message)) return 'right'
    const kind = kinds.find(([says]) => says.test(message))?.[1]
    // Other 5xx errors leave the outcome unknown.
    return status < 500 || kind === 'locked' ? kind : undefined
  },
  next(body) {
    const { data } = pages.safeParse(body)
    return data && { cursor: data.meta.links.next }
  },
}
