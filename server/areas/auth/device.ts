import type { Id } from '../../../contract/shared/ids.ts'
import { deviceOf } from '../../../contract/shared/user-agent.ts'
import type { Config } from '../../config.ts'
import { hashToken, newToken } from '../../platform/tokens.ts'
import type { Visitor } from '../../route.ts'
import type { Db } from '../../tables.ts'
import { readCookie, setCookie } from './cookies.ts'
import { networkOf } from './lock-out.ts'
import { listSessionRows } from './store.ts'

/** Where a call comes from; `browser` is the hash of the cookie by which the browser is known. */
export interface Origin {
  address: string
  agent: string
  browser?: string
}

/** Somebody whose browser has a cookie by which it is known again. */
export type KnownVisitor = Visitor & { browser: string }

/**
 * Knows the browser by its cookie, and gives it one with these headers where it has none. Whoever signs up or logs in gets it,
 * whatever comes of that, so that it tells nothing.
 */
export function knowBrowser(
  config: Pick<Config, 'PUBLIC_URL'>,
  from: Visitor,
): { visitor: KnownVisitor; headers: Record<string, string> } {
  const value = cookieOf(config, from) ?? newToken('brw')
  const cookie = setCookie(config, 'slipway_browser', value, 365 * 86_400)
  return { visitor: { ...from, browser: hashToken(value) }, headers: { 'set-cookie': cookie } }
}

/** Whether the call comes from the browser of this hash. */
export function isBrowser(
  config: Pick<Config, 'PUBLIC_URL'>,
  from: Visitor,
  browserHash: string | null,
): boolean {
  const value = cookieOf(config, from)
  return value !== undefined && hashToken(value) === browserHash
}

function cookieOf(config: Pick<Config, 'PUBLIC_URL'>, from: Visitor): string | undefined {
  const value = readCookie(config, from, 'slipway_browser')
  return value && /^brw_[\w-]{43}$/.test(value) ? value : undefined
}

/**
 * Whether somebody logs in from a device they have not used: another browser, and not the same kind of browser on the same
 * network either. The first log-in of an account is from no new device. Asked before the session is there.
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
  // Sessions from before log-ins were recorded.
  const sessions = await listSessionRows(db, userId)
  const earlier = [
    ...logins,
    ...sessions.map(({ address, agent }) => ({ address, agent, browser_hash: null })),
  ]
  const isSame = ({ address, agent, browser_hash }: (typeof earlier)[number]) =>
    (from.browser !== undefined && browser_hash === from.browser) ||
    (deviceOf(agent ?? '') === deviceOf(from.agent) && prefixOf(address ?? '') === prefixOf(from.address))
  return earlier.length > 0 && !earlier.some(isSame)
}

/** The /24 of an IPv4 address, and the /48 of an IPv6 one: what a provider gives to one household or office. */
export function prefixOf(address: string): string {
  const v4 = /(\d+\.\d+\.\d+)\.\d+$/.exec(address)
  return v4?.[1] ?? networkOf(address).split(':').slice(0, 3).join(':')
}
