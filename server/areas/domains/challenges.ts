import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { transaction } from '../../platform/transaction.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { syncProxy } from '../proxies/proxy.ts'
import { toServerProblem } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { OrderPostponed } from './order-errors.ts'
import { get, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { errorCode } from '../../platform/db.ts'
import { challengePath } from '../../remote/proxy/config.ts'

export interface ClaimedHost {
  workspace_id: Id<'workspace'>
  host: string
}

export type ServeChallenge = (token: string, keyAuthorization: string) => Promise<void>

const EXPIRES = '10 minutes'

export async function withChallenges<T>(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  work: (serveChallenge: ServeChallenge) => Promise<T>,
): Promise<T> {
  const tokens: string[] = []
  const serveChallenge: ServeChallenge = async (token, keyAuthorization) => {
    // The token comes from the authority and becomes part of a proxy command.
    if (!/^[A-Za-z0-9_-]{1,200}$/.test(token))
      throw new OrderPostponed('The certificate authority sent an invalid challenge.')
    tokens.push(token)
    await insertChallenges(ctx, claimed, servers, token, keyAuthorization)
    const results = await Promise.all(servers.map((server) => trySyncProxy(ctx, server)))
    if (!results.includes(undefined)) throw new OrderPostponed(results[0] ?? 'No server uses this domain.')
  }
  try {
    return await work(serveChallenge)
  } finally {
    if (tokens.length > 0) await removeChallenges(ctx, claimed, servers, tokens)
  }
}

async function trySyncProxy(ctx: Context, server: ServerRow): Promise<string | undefined> {
  try {
    await syncProxy(ctx, server)
    return undefined
  } catch (error) {
    const problem = toServerProblem(server, error)
    if (problem instanceof Problem) return problem.message
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

export async function removeExpiredChallenges(ctx: Context): Promise<void> {
  await transaction(ctx.db, async (trx) => {
    const { rows } = await sql<{ workspace_id: Id<'workspace'>; server_id: Id<'server'> }>`
      delete from acme_challenges where expires_at < now() returning workspace_id, server_id`.execute(trx)
    for (const row of rows) await requestProxySync(ctx, trx, row)
  })
}

/** Requests a challenge as a certificate authority would. Returns the problem as the end of a sentence. */
export const probeChallenge = (
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  addresses: readonly string[],
): Promise<string | undefined> =>
  withChallenges(ctx, claimed, servers, async (serveChallenge) => {
    const token = `slipway-${randomBytes(16).toString('hex')}`
    const answer = `${token}.${randomBytes(16).toString('hex')}`
    await serveChallenge(token, answer)
    let reason: string | undefined = 'it has no address'
    for (const address of addresses) {
      reason = await probeAddress(address, claimed.host, token, answer)
      if (reason === undefined) return undefined
    }
    return reason
  })

const PROBE_TIMEOUT_MS = 4_000
const PORT = 80

async function probeAddress(
  address: string,
  host: string,
  token: string,
  expected: string,
): Promise<string | undefined> {
  try {
    const answer = await request(address, host, `${challengePath}${token}`)
    // An unknown server may respond without end.
    answer.on('data', () => answer.socket.bytesRead > 100_000 && answer.destroy())
    const body = await text(answer)
    if (body.trim() === expected) return undefined
    // The message must not reveal the response, because the address may belong to an internal network.
    return 'another server responded'
  } catch (error) {
    return reasons[errorCode(error) ?? ''] ?? 'no response'
  }
}

const request = (address: string, host: string, path: string) =>
  new Promise<IncomingMessage>((resolve, reject) => {
    const signal = AbortSignal.timeout(PROBE_TIMEOUT_MS)
    get({ host: address, port: PORT, path, headers: { host }, signal, agent: false }, resolve).on(
      'error',
      reject,
    )
  })

const reasons: Record<string, string> = {
  ECONNREFUSED: 'connection refused',
  ECONNRESET: 'connection reset',
  EHOSTUNREACH: 'no route to the host',
  ENETUNREACH: 'no route to the host',
  ENOTFOUND: 'name not found',
  ABORT_ERR: 'the request timed out',
}
