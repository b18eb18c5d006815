import { Problem } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { Context } from '../../../context.ts'
import { transaction } from '../../../platform/transaction.ts'
import { DockerUnavailable, DockerUnsupported, HostKeyChanged } from '../../../remote/errors.ts'
import type { Host } from '../../../remote/host.ts'
import { toProvenAddress, toServerProblem } from '../server-host.ts'
import { changeServer, type ServerRow, serverTarget } from '../server.ts'
import { lockLeasedServer } from './store.ts'

export interface WatchedServer {
  ctx: Context
  watcher: string
  server: ServerRow
}

export const markReachable = ({ ctx, watcher, server }: WatchedServer, host: Host): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const now = await lockLeasedServer(trx, watcher, server.id)
    // The connection used the address of the row that the session started with.
    const proven = now?.version === server.version ? toProvenAddress(now, host) : {}
    if (now && Object.keys(proven).length > 0) await changeServer(trx, now.workspace_id, now.id, proven)
    if (now?.status !== 'unreachable') return
    await changeServer(trx, now.workspace_id, now.id, {
      status: 'ready',
      reason: null,
      offered_host_key: null,
      last_seen_at: ctx.now(),
    })
    await emit(trx, 'slipway', now.workspace_id, 'server.ready', serverTarget(now))
  })

/** Before setup, the status stays as it is: only a server that was ready can become unreachable. */
export const markUnreachable = ({ ctx, watcher, server }: WatchedServer, why: unknown): Promise<void> =>
  transaction(ctx.db, async (trx) => {
    const now = await lockLeasedServer(trx, watcher, server.id)
    if (!now) return
    const offered_host_key = why instanceof HostKeyChanged ? why.offered : now.offered_host_key
    const wasReady = now.status === 'ready'
    const known = wasReady || now.status === 'unreachable'
    await changeServer(trx, now.workspace_id, now.id, {
      offered_host_key,
      containers_live: false,
      ...(known ? { status: 'unreachable', reason: sentence(now, why) } : {}),
    })
    if (wasReady)
      await emit(
        trx,
        'slipway',
        now.workspace_id,
        'server.unreachable',
        serverTarget(now),
        sentence(now, why),
      )
  })

export const markDocker = ({ ctx, watcher, server }: WatchedServer, why: unknown): Promise<boolean> =>
  transaction(ctx.db, async (trx) => {
    const now = await lockLeasedServer(trx, watcher, server.id)
    if (!now || now.status === 'unreachable') return false
    const reason = why === undefined ? null : dockerSentence(why)
    // Before the server is ready, `reason` belongs to its setup.
    if (now.status !== 'ready' || now.reason === reason) return true
    await changeServer(trx, now.workspace_id, now.id, { reason })
    if (reason === null)
      await emit(trx, 'slipway', now.workspace_id, 'server.docker_found', serverTarget(now))
    else if (now.reason === null)
      await emit(trx, 'slipway', now.workspace_id, 'server.docker_lost', serverTarget(now), reason)
    return true
  })

const dockerSentence = (why: unknown) =>
  why instanceof DockerUnavailable || why instanceof DockerUnsupported
    ? why.message
    : 'Docker is not responding on this server. Check the Docker log there.'

function sentence(server: ServerRow, error: unknown): string {
  const problem = toServerProblem(server, error)
  return problem instanceof Problem
    ? problem.message
    : `Slipway could not connect to ${server.name}: ${String(error)}.`
}
