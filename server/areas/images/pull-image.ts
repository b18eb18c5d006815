import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { emit, nudge } from '../../events.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import { DockerError, RemoteError } from '../../remote/errors.ts'
import type { Trx } from '../../tables.ts'
import { sayWhy } from '../servers/reach.ts'
import { findServer, type ServerRow } from '../servers/server.ts'
import { followPull, NotPulled, Stalled } from './follow-pull.ts'
import { targetOf, whereOf } from './image.ts'
import { isOver } from './pull.ts'
import { pullAttempts } from './request-pull.ts'
import { findPullRow, type PullChanges, type PullRow, updatePull } from './store.ts'
import { stalled, whyFailed } from './why-failed.ts'

/** Milliseconds without a word of Docker after which a pull has stalled. */
export const stallsAfter = 60_000

/** A pull in the hands of the worker that holds its lease. */
interface Attempt {
  ctx: Context
  run: JobRun
  server: ServerRow
  /** As it was last written. */
  pull: PullRow
}

/** It was cancelled, or went with its server. */
class Over extends Error {}

/** Has Docker pull it, and writes down how far it is. Docker keeps the layers that were through when it is cut off. */
export async function pullImage(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'pull'>,
  run: JobRun,
  patience = stallsAfter,
): Promise<void> {
  const pull = await findPullRow(ctx.db, workspaceId, id)
  const server = pull && (await findServer(ctx, workspaceId, pull.server_id))
  // It was cancelled, or done by a worker that died before it could say so.
  if (!server || isOver(pull)) return
  const attempt = { ctx, run, server, pull }
  try {
    await note(attempt, { status: 'running', error: null, layers: '[]' })
    await followPull({ ctx, signal: run.signal, server, image: pull.image }, patience, (layers) =>
      note(attempt, { layers: JSON.stringify(layers) }),
    )
    await complete(attempt)
  } catch (error) {
    run.signal.throwIfAborted()
    if (error instanceof Over) return
    await failOrTryAgain(attempt, error)
  }
}

/** Writes only while the lease is ours and it is not over; those who look are told. */
async function note(
  attempt: Attempt,
  changes: PullChanges,
  also: (trx: Trx) => Promise<unknown> = async () => {},
): Promise<void> {
  const { ctx, run, pull } = attempt
  attempt.pull = await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    const row = await updatePull(trx, pull.workspace_id, pull.id, changes)
    if (!row) throw new Over()
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
  return note(attempt, changes, (trx) =>
    emit(trx, 'slipway', pull.workspace_id, 'image.pulled', targetOf(pull.image), whereOf(server)),
  )
}

/** What is nobody's word but came of a connection that went away may go better the next time. */
async function failOrTryAgain(attempt: Attempt, error: unknown): Promise<void> {
  const { run, pull, server } = attempt
  const why = whyOf(attempt, error)
  if (!isFinal(error) && run.attempt < pullAttempts) {
    await note(attempt, { status: 'queued', error: `${why} The pull will be retried.` })
    throw error
  }
  const changes = { status: 'failed', error: why, finished_at: new Date() } as const
  await note(attempt, changes, (trx) => tellFailure(trx, pull, server, why))
}

export const tellFailure = (trx: Trx, pull: PullRow, server: ServerRow, why: string) =>
  emit(
    trx,
    'slipway',
    pull.workspace_id,
    'image.pull_failed',
    targetOf(pull.image),
    `${whereOf(server)}: ${why}`,
  )

/** Docker's own refusal is its last word, but for one of which a Docker that is being stopped speaks. */
const isFinal = (error: unknown) =>
  error instanceof Stalled ||
  (error instanceof DockerError && !/context canceled|shutting down/.test(error.message))

function whyOf({ server, pull }: Attempt, error: unknown): string {
  if (error instanceof Stalled) return stalled(pull.image)
  if (error instanceof NotPulled) return whyFailed(pull.image, error.message, error.registry)
  const said = error instanceof RemoteError ? sayWhy(server, error) : error
  if (said instanceof Problem) return said.message
  return `Slipway failed while pulling ${pull.image}. See the Slipway log.`
}
