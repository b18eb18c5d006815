import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestProxySync } from '../applications/hosts/proxy-sync.ts'
import { syncProxy } from '../proxies/proxy.ts'
import { sayWhy } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { NotYet } from './not-issued.ts'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { codeOf } from '../../platform/db.ts'
import { challengePath } from '../../remote/proxy/config.ts'

export interface ClaimedHost {
  workspace_id: Id<'workspace'>
  host: string
}

/** Hands the answer of a challenge to the proxies; they answer it when this resolves. */
export type HandOver = (token: string, keyAuthorization: string) => Promise<void>

/** What a cut-off order leaves behind is answered for at most so long. */
const EXPIRES = '10 minutes'

/**
 * Has the proxies of these servers, and no others, answer challenges for the name while `work` runs. Each of the servers is reached
 * by the row of the workspace that asks.
 */
export async function withChallenges<T>(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  work: (handOver: HandOver) => Promise<T>,
): Promise<T> {
  const tokens: string[] = []
  const handOver: HandOver = async (token, keyAuthorization) => {
    // It comes from the authority, and becomes part of a command to the proxy.
    if (!/^[A-Za-z0-9_-]{1,200}$/.test(token))
      throw new NotYet('The certificate authority sent an invalid challenge.')
    tokens.push(token)
    await insertChallenges(ctx, claimed, servers, token, keyAuthorization)
    const results = await Promise.all(servers.map((server) => follow(ctx, server)))
    if (!results.includes(undefined)) throw new NotYet(results[0] ?? 'No server serves this name.')
  }
  try {
    return await work(handOver)
  } finally {
    if (tokens.length > 0) await removeChallenges(ctx, claimed, servers, tokens)
  }
}

/** Why the proxy does not follow, as a sentence. */
async function follow(ctx: Context, server: ServerRow): Promise<string | undefined> {
  try {
    await syncProxy(ctx, server)
    return undefined
  } catch (error) {
    const said = sayWhy(server, error)
    if (said instanceof Problem) return said.message
    throw error
  }
}

const insertChallenges = (
  { db }: Context,
  { workspace_id, host }: ClaimedHost,
  servers: readonly ServerRow[],
  token: string,
  key_authorization: string,
) =>
  db
    .insertInto('acme_challenges')
    .values(
      servers.map(({ id: server_id }) => ({
        workspace_id,
        server_id,
        host,
        token,
        key_authorization,
        expires_at: sql<Date>`now() + ${EXPIRES}::interval`,
      })),
    )
    .onConflict((conflict) => conflict.columns(['server_id', 'host', 'token']).doNothing())
    .execute()

const removeChallenges = (
  ctx: Context,
  { workspace_id, host }: ClaimedHost,
  servers: readonly ServerRow[],
  tokens: string[],
) =>
  transaction(ctx.db, async (trx) => {
    await trx
      .deleteFrom('acme_challenges')
      .where('workspace_id', '=', workspace_id)
      .where('host', '=', host)
      .where('token', 'in', tokens)
      .execute()
    for (const { id: server_id } of servers) await requestProxySync(ctx, trx, { workspace_id, server_id })
  })

/** Removes answers of orders that were cut off. */
export async function removeExpiredChallenges(ctx: Context): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ workspace_id: Id<'workspace'>; server_id: Id<'server'> }>`
      delete from acme_challenges where expires_at < now() returning workspace_id, server_id`.execute(trx)
    for (const row of rows) await requestProxySync(ctx, trx, row)
  })
}

/**
 * Asks for a random answer at these addresses as a certificate authority would, after handing it to the proxies of these servers.
 * Undefined when one of the addresses gives it, else what came instead, as the end of a sentence.
 */
export const probe = (
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  addresses: readonly string[],
): Promise<string | undefined> =>
  withChallenges(ctx, claimed, servers, async (handOver) => {
    const token = `slipway-${randomBytes(16).toString('hex')}`
    const answer = `${token}.${randomBytes(16).toString('hex')}`
    await handOver(token, answer)
    let why: string | undefined = 'there is no address'
    for (const address of addresses) {
      why = await askProxy(address, claimed.host, token, answer)
      if (why === undefined) return undefined
    }
    return why
  })

const PATIENCE = 4_000
const PORT = 80

/**
 * Asks as a certificate authority would, at one address: undefined when the answer is right, else what came instead,
 * as the end of a sentence.
 */
async function askProxy(
  address: string,
  host: string,
  token: string,
  wanted: string,
): Promise<string | undefined> {
  try {
    const answer = await request(address, host, `${challengePath}${token}`)
    // Somebody else's answer may be of any length.
    answer.on('data', () => answer.socket.bytesRead > 100_000 && answer.destroy())
    const said = await text(answer)
    if (said.trim() === wanted) return undefined
    // Not what it says, nor how: the address may be one of an inner network, which is nobody's to look around in.
    return "something else than this server's proxy answers there"
  } catch (error) {
    return reasons[codeOf(error) ?? ''] ?? 'there is no answer'
  }
}

const request = (address: string, host: string, path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(PATIENCE)
    get({ host: address, port: PORT, path, headers: { host }, signal, agent: false }, resolve).on(
      'error',
      reject,
    )
  })

const reasons: Record<string, string> = {
  ECONNREFUSED: 'the connection is refused',
  ECONNRESET: 'the connection is cut',
  EHOSTUNREACH: 'there is no way to it',
  ENETUNREACH: 'there is no way to it',
  ENOTFOUND: 'its name is not found',
  ABORT_ERR: 'there is no answer in time',
}
