import { sql } from 'kysely'
import type { Context } from '../../context.ts'
import { deleteInBatches } from '../../platform/db.ts'
import { newId } from '../../platform/ids.ts'
import { DockerError, RemoteError } from '../../remote/errors.ts'
import type { ApplicationRow } from '../applications/application.ts'
import type { Instance } from '../applications/instance.ts'
import type { Db } from '../../tables.ts'
import { findRelease } from '../applications/release.ts'
import { LogReadError } from '../logs/line-reader.ts'
import type { LogBatch } from '../logs/log-batch.ts'
import { isRunningStatus, type LogSource, TooManyReaders } from '../logs/log-source.ts'
import { readLog, type ReadStart } from '../logs/read-log.ts'
import { type Chunk, compress, toChunkRow, unfinished } from './log-chunks.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import {
  deleteChunksBefore,
  deleteLogsOverLimit,
  deleteSavedLog,
  insertChunk,
  insertSavedLog,
  type SavedLogRow,
  updateSavedLog,
} from './store.ts'
import { type ContainerInspection, containerName, findInspection } from '../containers/docker-container.ts'

/** Milliseconds for reading, because saving a log must not delay a deployment for long. */
const readTimeout = 30_000
/**
 * Assumed minimum bytes per line, which limits how many lines of a very large log are read. Docker reads from the end.
 */
const shortestLine = 64

export type LogOwner = Pick<ApplicationRow, 'workspace_id' | 'id' | 'log_days' | 'log_megabytes'>

/**
 * Saves the output of a container that is about to be removed. If the log cannot be saved, the container is removed all
 * the same.
 */
export async function saveContainerLog(
  ctx: Context,
  server: ServerRow,
  application: LogOwner,
  instance: LoggedInstance,
  containerId: string,
): Promise<void> {
  try {
    await readAndSave(ctx, server, application, instance, containerId)
  } catch (error) {
    // Without a connection, the container cannot be removed either.
    if (error instanceof RemoteError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    ctx.log.warn(
      { application: application.id, container: containerId, reason },
      'Failed to save the log of a container',
    )
  }
}

export type LoggedInstance = Pick<Instance, 'release_id' | 'deployment_id' | 'service'>

async function readAndSave(
  ctx: Context,
  server: ServerRow,
  application: LogOwner,
  { release_id, deployment_id, service }: LoggedInstance,
  containerId: string,
): Promise<void> {
  if (application.log_days === 0) return
  const release = await findRelease(ctx.db, application.workspace_id, release_id)
  const container = await findInspection(getServerHost(ctx, server).docker, containerId)
  if (!release || !container) return
  const details = { release: release.number, deployment_id, service, ...containerDetails(container) }
  const tail = tailFor(maxBytes(application))
  await saveLog(ctx, application, details, readLines(ctx, server, container, { tail, isOver: true }))
}

export const containerDetails = (container: ContainerInspection) => ({
  container_id: container.Id,
  container_name: containerName(container),
  exit_code: isRunningStatus(container.State.Status) ? null : Math.trunc(container.State.ExitCode) % 256,
  restarts: container.RestartCount,
})

export const tailFor = (bytes: number) => Math.ceil(bytes / shortestLine)

export const maxBytes = ({ log_megabytes }: Pick<LogOwner, 'log_megabytes'>) => log_megabytes * 1_000_000

export const logSource = (
  ctx: Context,
  server: ServerRow,
  container: ContainerInspection,
  isOver: boolean,
): LogSource => ({
  ctx,
  workspace: server.workspace_id,
  server: server.id,
  container: container.Id,
  tty: container.Config.Tty,
  isOver,
})

export async function* readLines(
  ctx: Context,
  server: ServerRow,
  container: ContainerInspection,
  { isOver, ...start }: ReadStart & { isOver: boolean },
): AsyncGenerator<LogBatch, { isTruncated: boolean }> {
  const timeout = AbortSignal.timeout(readTimeout)
  try {
    yield* readLog(logSource(ctx, server, container, isOver), start, timeout)
  } catch (error) {
    if (timeout.aborted || error instanceof TooManyReaders) return { isTruncated: true }
    if (!(error instanceof DockerError || error instanceof LogReadError)) throw error
  }
  return { isTruncated: false }
}

type LogDetails = Pick<
  SavedLogRow,
  'release' | 'deployment_id' | 'service' | 'container_id' | 'container_name' | 'exit_code' | 'restarts'
>

/**
 * Saves a log. Its chunks are stored one by one, so that a large log needs little memory, and it has no lines until all
 * are stored. With `copyBytes`, the log is a copy of that size of a log that continues, and does not replace a log that
 * was saved at the end.
 */
export async function saveLog(
  ctx: Pick<Context, 'db' | 'secrets'>,
  application: LogOwner,
  details: LogDetails,
  batches: AsyncGenerator<LogBatch, { isTruncated: boolean }>,
  copyBytes?: number,
): Promise<void> {
  const { workspace_id, id: application_id } = application
  const id = newId('savedLog')
  const most = copyBytes ?? maxBytes(application)
  const container = { application_id, container_id: details.container_id }
  // A worker that was interrupted may have left an incomplete log of this container.
  await deleteSavedLog(ctx.db, workspace_id, container, copyBytes !== undefined)
  const copied_to = copyBytes === undefined ? null : ''
  const begun = { lines: 0, bytes: 0, first_at: new Date(), last_at: new Date(), copied_to }
  await insertSavedLog(ctx.db, { ...details, ...begun, id, workspace_id, application_id })
  const kept: Chunk[] = []
  const total = (of: 'lines' | 'bytes') => kept.reduce((sum, chunk) => sum + chunk[of], 0)
  const chunks = compress(batches)
  let next: Awaited<ReturnType<typeof chunks.next>>
  try {
    next = await chunks.next()
    for (let seq = 0; !next.done; next = await chunks.next(), seq++) {
      const { content: _, ...chunk } = next.value
      await insertChunk(ctx.db, toChunkRow(ctx, { workspace_id, id }, seq, next.value))
      kept.push(chunk)
      while (total('bytes') > most && kept.length > 1) kept.shift()
      await deleteChunksBefore(ctx.db, workspace_id, id, seq + 1 - kept.length)
      await updateSavedLog(ctx.db, workspace_id, id, { bytes: total('bytes') })
    }
  } finally {
    await chunks.return(unfinished)
  }
  const [first, last] = [kept[0], kept.at(-1)]
  if (!first || !last)
    return void (await deleteSavedLog(ctx.db, workspace_id, container, copyBytes !== undefined))
  await updateSavedLog(ctx.db, workspace_id, id, {
    lines: total('lines'),
    truncated: next.value.isTruncated || first.number > 0,
    first_at: first.firstAt,
    last_at: last.lastAt,
    ...(copyBytes !== undefined && { copied_to: next.value.position }),
  })
  await deleteLogsOverLimit(ctx.db, workspace_id, application_id, maxBytes(application))
}

/** Deletes saved logs after the retention that each application sets (`log_days`). */
export const deleteExpiredLogs = (db: Db, signal: AbortSignal) =>
  deleteInBatches(
    db,
    'saved_logs',
    sql`saved_at < now() - make_interval(days => (
      select a.log_days from applications a
      where a.workspace_id = saved_logs.workspace_id and a.id = saved_logs.application_id))`,
    signal,
  )
