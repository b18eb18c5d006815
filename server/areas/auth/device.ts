import type { Id } from '../../../contract/shared/ids.ts'
import { describeDevice } from '../../../contract/shared/user-agent.ts'
import type { Config } from '../../config.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { Anonymous } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { toNetwork } from './login-rate-limit.ts'
import { listSessionRows } from './store.ts'

/** Origin of a request. `browser` is the hash of the device cookie. */
export interface Origin {
  address: string
  agent: string
  browser?: string
}

export type RequestWithDevice = Anonymous & { browser: string }

/**
 * Identifies the browser by a cookie. Every signup and login sets it regardless of the result, so that it reveals
 * nothing.
 */
export function identifyBrowser(
  config: Pick<Config, 'PUBLIC_URL'>,
  from: Anonymous,
): { client: RequestWithDevice; headers: Record<string, string> } {
  const value = readDeviceCookie(config, from) ?? newToken('brw')
  const cookie = setCookie(config, 'slipway_browser', value, 365 * 86_400)
  return { client: { ...from, browser: hashToken(value) }, headers: { 'set-cookie': cookie } }
}

export function hasDeviceCookie(
  config: Pick<Config, 'PUBLIC_URL'>,
  from: Anonymous,
  browserHash: string | null,
): boolean {
  const value = readDeviceCookie(config, from)
  return value !== undefined && hashToken(value) === browserHash
}

function readDeviceCookie(config: Pick<Config, 'PUBLIC_URL'>, from: Anonymous): string | undefined {
  const value = readCookie(config, from, 'slipway_browser')
  return value && /^brw_[\w-]{43}$/.test(value) ? value : undefined
}

/**
 * Returns whether the device is new. A browser of the same kind in the same network is not. Call this before the
 * session is created.
 */
export async function isNewDevice(db: Db, userId: Id<'user'>, from: Origin): Promise<boolean> {
  const logins = await db
    .selectFrom('account_events')
    .select(['address', 'agent', 'browser_hash'])
    .distinct()
    .where('user_id', '=', userId)
    .where('type', 'in', ['account.login', 'account.created', 'email.confirmed'])
    .where('address', 'is not', null)
    .limit(1_000)
    .execute()
  // Sessions also count, because older ones have no recorded login.
  const sessions = await listSessionRows(db, userId)
  const earlier = [
    ...logins,
    ...sessions.map(({ address, agent }) => ({ address, agent, browser_hash: null })),
  ]
  const isSame = ({ address, agent, browser_hash }: (typeof earlier)[number]) =>
    (from.browser !== undefined && browser_hash === from.browser) ||
    (describeDevice(agent ?? '') === describeDevice(from.agent) &&
      networkPrefix(address ?? '') === networkPrefix(from.address))
  return earlier.length > 0 && !earlier.some(isSame)
}

/** Returns the /24 of an IPv4 address or the /48 of an IPv6 address: the usual allocation of a household or office. */
export function networkPrefix(address: string): string {
  const v4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(address)
  return v4?.[1] ?? toNetwork(address).split(':').slice(0, 3).join(':')
}

type Scope = Pick<Config, 'PUBLIC_URL'>
type Name = 'slipway_browser' | 'slipway_github'

const isSecure = ({ PUBLIC_URL }: Scope) => PUBLIC_URL.startsWith('https:')

/** Browsers accept the `__Host-` prefix only from the same host, so applications on sibling hosts cannot set the cookie. */
const fullName = (config: Scope, name: Name) => (isSecure(config) ? `__Host-${name}` : name)

export const readCookie = (config: Scope, from: Anonymous, name: Name): string | undefined =>
  from.cookie(fullName(config, name))

/** Returns the value of a Set-Cookie header. The prefix requires the path `/`. */
export function setCookie(config: Scope, name: Name, value: string, seconds: number): string {
  const where = isSecure(config) ? 'Path=/; Secure' : 'Path=/v1/auth'
  return `${fullName(config, name)}=${value}; ${where}; HttpOnly; SameSite=Lax; Max-Age=${seconds}`
}
