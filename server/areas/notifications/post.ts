import type { Context } from '../../context.ts'
import { type Fetched, LeadsElsewhere, NotAllowed, safeFetch } from '../../platform/safe-fetch.ts'
import { getSettings } from '../../settings.ts'
import { reasonOf } from '../auth/outside-reasons.ts'
import { readWords, waitOf } from './answer.ts'
import { Later, Refused, type Sending } from './channel.ts'

interface Post {
  url: string
  /** What is posted: as JSON, unless it is text. */
  body: unknown
  headers?: Record<string, string>
  signal: Sending['signal']
  /** Where the operator has sent us: its own address is not looked at. */
  trusted?: string
  /** Words of the service by which it says that this will never work again with these settings. */
  gone?: RegExp
}

/** By these a receiver says that it does not understand what came, or that it is too much; all others are about whoever calls. */
const ofTheMessage = new Set([400, 413, 422])

/** Posts to a receiver, and tells its answer in a few words; throws what a channel throws. */
export async function post(ctx: Context, asked: Post): Promise<string> {
  const answer = await call(ctx, asked)
  const words = readWords(answer.text)
  const said = `Answered ${answer.status}${words && `: ${words}`}`
  if (answer.status >= 200 && answer.status < 300) return said
  if (answer.status === 429) throw new Later(said, waitOf(answer))
  if (answer.status === 410 || asked.gone?.test(words)) throw new Refused(said, 'gone')
  if (ofTheMessage.has(answer.status)) throw new Refused(said, 'message')
  if (answer.status >= 400 && answer.status < 500 && ![408, 425].includes(answer.status))
    throw new Refused(said, 'channel')
  throw new Error(said)
}

async function call(ctx: Context, { url, body, headers, signal, trusted }: Post): Promise<Fetched> {
  const at = new URL(url)
  try {
    return await safeFetch(at, {
      method: 'POST',
      headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Slipway', ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
      signal,
      timeout: ctx.config.OUTSIDE_TIMEOUT * 1000,
      mostBytes: 64 * 1024,
      cut: true,
      networks: (await getSettings(ctx)).allowedNetworks,
      ...(trusted && { trusted }),
    })
  } catch (error) {
    signal.throwIfAborted()
    throw inWords(at.hostname, error)
  }
}

/** A path or a query can hold a token, so no more than the name of the receiver is told. */
function inWords(host: string, error: unknown): Error {
  if (error instanceof NotAllowed)
    return new Refused(
      `Slipway does not call ${host}: it is not at a public address, or has no encryption. The instance owner can allow its range (OUTBOUND_NETWORKS)`,
      'channel',
    )
  if (error instanceof LeadsElsewhere)
    return new Refused(`${host} leads to another place, where Slipway does not follow it`, 'channel')
  if (error instanceof Error && error.name === 'TimeoutError')
    return new Error(`${host} did not answer in time`, { cause: error })
  return new Error(`Could not reach ${host}: ${reasonOf(new Error('it failed', { cause: error }))}`, {
    cause: error,
  })
}
