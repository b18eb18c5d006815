import { randomInt } from 'node:crypto'
import type { Context } from '../../context.ts'
import { pause } from '../../platform/async.ts'
import { transaction } from '../../platform/transaction.ts'
import { DockerError, RemoteError } from '../../remote/errors.ts'
import { type ContainerInspection, findInspection } from '../containers/docker-container.ts'
import { formatPosition, parsePosition } from '../logs/log-batch.ts'
import { isRunningStatus } from '../logs/log-source.ts'
import { findLastPosition } from '../logs/read-log.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import type { Watcher } from '../servers/watcher.ts'
import { compress, toChunkRow, unfinished } from './log-chunks.ts'
import { containerDetails, logSource, maxBytes, readLines, saveLog, tailFor } from './saved-log.ts'
import { insertChunk, listLoggedContainers, type LoggedContainer, updateSavedLog } from './store.ts'

/*
 * Slipway saves the log of a container before it removes the container. A user may also remove a container by hand, and
 * its log with it, so the newest output of every container is copied regularly, one container after another.
 */
const every = 300_000

async function watchLogs(
  ctx: Context,
  server: ServerRow,
  _host: unknown,
  signal: AbortSignal,
): Promise<void> {
  await pause(randomInt(60_000, every), signal)
  while (!signal.aborted) {
    await copyLogs(ctx, server, signal)
    await pause(every, signal)
  }
}

export const watchers: Watcher[] = [{ name: 'saved logs', watch: watchLogs }]

export async function copyLogs(ctx: Context, server: ServerRow, signal: AbortSignal): Promise<void> {
  for (const logged of await listLoggedContainers(ctx.db, server.workspace_id, server.id)) {
    if (signal.aborted) return
    try {
      await copyLog(ctx, server, logged, signal)
    } catch (error) {
      // If Docker cannot read one log, the others are copied. Without a connection, no log can be copied.
      if (signal.aborted || (error instanceof RemoteError && !(error instanceof DockerError))) return
      // A failure is only logged at level info, because the container may have been removed at the same moment, which
      // saves its log.
      const reason = String(error)
      ctx.log.info({ container: logged.container_id, reason }, 'Failed to copy the log of a container')
    }
  }
}

/**
 * Maximum number of chunks. A copy that is full or has more small chunks is replaced by one of half its maximum size.
 */
const maxChunks = 300

async function copyLog(
  ctx: Context,
  server: ServerRow,
  logged: LoggedContainer,
  signal: AbortSignal,
): Promise<void> {
  const { copy, release, deployment_id, service, containers } = logged
  const { workspace_id, application_id, log_days, log_megabytes } = logged
  const container = await findInspection(getServerHost(ctx, server).docker, logged.container_id, signal)
  if (!container) return
  const isOver = !isRunningStatus(container.State.Status)
  // A copy uses a tenth of the limit at most, to leave room for the logs of earlier releases.
  const most = maxBytes(logged) / 10 / containers
  if (copy) {
    const last = await findLastPosition(logSource(ctx, server, container, isOver), signal)
    if (!last || formatPosition(last) === copy.copied_to) return
    if (
      copy.chunks < maxChunks &&
      (await append(ctx, server, container, { workspace_id, copy, isOver, most }))
    )
      return
  }
  const details = { release, deployment_id, service, ...containerDetails(container) }
  const lines = readLines(ctx, server, container, { tail: tailFor(most / 2), isOver })
  const application = { workspace_id, id: application_id, log_days, log_megabytes }
  await saveLog(ctx, application, details, lines, most / 2)
}

interface Addition extends Pick<LoggedContainer, 'workspace_id'> {
  copy: NonNullable<LoggedContainer['copy']>
  isOver: boolean
  most: number
}

/** Appends new lines to a copy. Returns false if the copy would become too large. */
async function append(
  ctx: Context,
  server: ServerRow,
  container: ContainerInspection,
  { workspace_id, copy, isOver, most }: Addition,
): Promise<boolean> {
  const { id } = copy
  const chunks = compress(readLines(ctx, server, container, { after: parsePosition(copy.copied_to), isOver }))
  const rows: ReturnType<typeof toChunkRow>[] = []
  let { bytes, lines } = copy
  let next: Awaited<ReturnType<typeof chunks.next>>
  try {
    next = await chunks.next()
    for (; !next.done; next = await chunks.next()) {
      bytes += next.value.bytes
      lines += next.value.lines
      if (bytes > most) return false
      rows.push(toChunkRow(ctx, { workspace_id, id }, copy.chunks + rows.length, next.value))
    }
  } finally {
    await chunks.return(unfinished)
  }
  const last = rows.at(-1)
  if (!last || next.value.position === null) return true
  const copied_to = next.value.position
  await transaction(ctx.db, async (trx) => {
    for (const row of rows) await insertChunk(trx, row)
    await updateSavedLog(trx, workspace_id, id, {
      bytes,
      lines,
      copied_to,
      last_at: last.last_at,
      saved_at: new Date(),
    })
  })
  return true
}
