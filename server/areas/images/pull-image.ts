import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { emit, nudge } from '../../events.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { DockerError, RemoteError } from '../../remote/errors.ts'
import type { Trx } from '../../tables.ts'
import { toServerProblem } from '../servers/server-host.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import {
  PullRefused,
  PullStalled,
  pullStallTimeoutMs,
  runDockerPull,
  explainPullFailure,
  pullStalledMessage,
} from './run-docker-pull.ts'
import { imageTarget, onServer } from './image.ts'
import { isPullFinished, pullAttempts } from './pull.ts'
import { findPullRow, type PullChanges, type PullRow, updatePull } from './store.ts'
import { sql } from 'kysely'

interface Attempt {
  ctx: Context
  run: JobRun
  server: ServerRow
  pull: PullRow
}

class PullEnded extends Error {}

/** Docker keeps completed layers when the connection is lost, so a retry continues. */
export async function pullImage(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'pull'>,
  run: JobRun,
  stallTimeoutMs = pullStallTimeoutMs,
): Promise<void> {
  const pull = await findPullRow(ctx.db, workspaceId, id)
  const server = pull && (await findServer(ctx, workspaceId, pull.server_id))
  // The pull was canceled, or its worker died after it saved the result.
  if (!server || isPullFinished(pull)) return
  const attempt = { ctx, run, server, pull }
  try {
    await savePull(attempt, { status: 'running', error: null, layers: '[]' })
    await runDockerPull({ ctx, signal: run.signal, server, image: pull.image }, stallTimeoutMs, (layers) =>
      savePull(attempt, { layers: JSON.stringify(layers) }),
    )
    await complete(attempt)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof PullEnded) return
    await failOrRetry(attempt, error)
  }
}

async function savePull(
  attempt: Attempt,
  changes: PullChanges,
  also: (trx: Trx) => Promise<unknown> = async () => {},
): Promise<void> {
  const { ctx, run, pull } = attempt
  attempt.pull = await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    const row = await updatePull(trx, pull.workspace_id, pull.id, changes)
    if (!row) throw new PullEnded()
    await also(trx)
    await nudge(trx, row.workspace_id, 'pull.changed', row.server_id)
    return row
  })
}

function complete(attempt: Attempt): Promise<void> {
  const { pull, server } = attempt
  const layers = pull.layers.map((layer) => ({
    ...layer,
    status: 'done',
    current: layer.total ?? layer.current,
  }))
  const changes = { status: 'completed', layers: JSON.stringify(layers), finished_at: new Date() } as const
  return savePull(attempt, changes, (trx) =>
    emit(trx, 'slipway', pull.workspace_id, 'image.pulled', imageTarget(pull.image), onServer(server)),
  )
}

async function failOrRetry(attempt: Attempt, error: unknown): Promise<void> {
  const { run, pull, server } = attempt
  const reason = explainPullError(attempt, error)
  if (!isFinal(error) && run.attempt < pullAttempts) {
    await savePull(attempt, { status: 'queued', error: `${reason} Slipway will retry the pull.` })
    throw error
  }
  const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
  await savePull(attempt, changes, (trx) => emitPullFailed(trx, pull, server, reason))
}

const emitPullFailed = (trx: Trx, pull: PullRow, server: ServerRow, reason: string) =>
  emit(
    trx,
    'slipway',
    pull.workspace_id,
    'image.pull_failed',
    imageTarget(pull.image),
    `${onServer(server)}: ${reason}`,
  )

/** Docker's refusal is final, except while Docker shuts down. */
const isFinal = (error: unknown) =>
  error instanceof PullStalled ||
  (error instanceof DockerError && !/context canceled|shutting down/.test(error.message))

function explainPullError({ server, pull }: Attempt, error: unknown): string {
  if (error instanceof PullStalled) return pullStalledMessage(pull.image)
  if (error instanceof PullRefused) return explainPullFailure(pull.image, error.message, error.registry)
  const problem = error instanceof RemoteError ? toServerProblem(server, error) : error
  if (problem instanceof Problem) return problem.message
  return `Slipway failed with an internal error while pulling ${pull.image}. See the Slipway log for details, then try again.`
}

const reason = 'The pull was interrupted because Slipway stopped. Try again; downloaded layers are kept.'

/** Fails pulls without a job, which would otherwise stay in progress forever. */
export async function failOrphanedPulls(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<PullRow, 'id' | 'workspace_id' | 'server_id'>>`
    select id, workspace_id, server_id from pulls p
    where status in ('queued', 'running')
      and not exists (select from jobs j where j.key = 'pull:' || p.id and j.state in ('queued', 'running'))
  `.execute(ctx.db)
  for (const { id, workspace_id: workspaceId, server_id: serverId } of rows) {
    const server = await findServer(ctx, workspaceId, serverId)
    await transaction(ctx.db, async (trx) => {
      const changes = { status: 'failed', error: reason, finished_at: new Date() } as const
      const pull = await updatePull(trx, workspaceId, id, changes)
      if (!pull || !server) return
      await emitPullFailed(trx, pull, server, reason)
      await nudge(trx, workspaceId, 'pull.changed', serverId)
    })
  }
}

const pullRetentionDays = 7

export const deleteOldPulls = ({ db }: Context) =>
  sql`delete from pulls where finished_at < now() - make_interval(days => ${pullRetentionDays})`.execute(db)
