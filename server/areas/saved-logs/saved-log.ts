import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
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
import { isRunningStatus, TooManyReaders } from '../logs/log-source.ts'
import { readLog } from '../logs/read-log.ts'
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

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

export interface SavedLine {
  stream: 'stdout' | 'stderr'
  text: string
  at: string
}

/** A saved log must not delay a deployment for long. */
const readTimeout = 30_000
/** Limits what is read of very large logs; Docker reads from the end. */
const shortestLine = 64

type LogOwner = Pick<ApplicationRow, 'workspace_id' | 'id' | 'log_days' | 'log_megabytes'>

/** Saves the output of a container that is about to be removed. A log that cannot be saved does not keep the container. */
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
    // The container cannot be removed either.
    if (error instanceof RemoteError) throw error
    const reason = error instanceof Error ? error.message : String(error)
    ctx.log.warn(
      { application: application.id, container: containerId, reason },
      'Failed to save the log of a container',
    )
  }
}

type LoggedInstance = Pick<Instance, 'release_id' | 'deployment_id' | 'service'>

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
  const details = {
    release: release.number,
    deployment_id,
    service,
    container_id: container.Id,
    container_name: containerName(container),
    exit_code: isRunningStatus(container.State.Status) ? null : Math.trunc(container.State.ExitCode) % 256,
    restarts: container.RestartCount,
  }
  const tail = Math.ceil(maxBytes(application) / shortestLine)
  await saveLog(ctx, application, details, readLastLines(ctx, server, container, tail))
}

const maxBytes = ({ log_megabytes }: LogOwner) => log_megabytes * 1_000_000

async function* readLastLines(
  ctx: Context,
  server: ServerRow,
  container: ContainerInspection,
  tail: number,
): AsyncGenerator<LogBatch, { isTruncated: boolean }> {
  const source = {
    ctx,
    workspace: server.workspace_id,
    server: server.id,
    container: container.Id,
    tty: container.Config.Tty,
    isOver: true,
  }
  const timeout = AbortSignal.timeout(readTimeout)
  try {
    yield* readLog(source, { tail }, timeout)
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

/** Chunks are stored as they come, so that a large log needs little memory. The log has no lines until all are stored. */
export async function saveLog(
  ctx: Pick<Context, 'db' | 'secrets'>,
  application: LogOwner,
  details: LogDetails,
  batches: AsyncGenerator<LogBatch, { isTruncated: boolean }>,
): Promise<void> {
  const { workspace_id, id: application_id } = application
  const id = newId('savedLog')
  // A worker that was interrupted may have begun to save it.
  await deleteSavedLog(ctx.db, workspace_id, application_id, details.container_id)
  const begun = { lines: 0, bytes: 0, first_at: new Date(), last_at: new Date() }
  await insertSavedLog(ctx.db, { ...details, ...begun, id, workspace_id, application_id })
  const kept: Chunk[] = []
  const total = (of: 'lines' | 'bytes') => kept.reduce((sum, chunk) => sum + chunk[of], 0)
  const chunks = compress(batches)
  let next = await chunks.next()
  for (let seq = 0; !next.done; next = await chunks.next(), seq++) {
    const { content, ...chunk } = next.value
    const content_sealed = ctx.secrets.seal(sealContext(id, seq), content.toString('base64'))
    await insertChunk(ctx.db, {
      workspace_id,
      log_id: id,
      seq,
      content_sealed,
      lines: chunk.lines,
      last_at: chunk.lastAt,
    })
    kept.push(chunk)
    while (total('bytes') > maxBytes(application) && kept.length > 1) kept.shift()
    await deleteChunksBefore(ctx.db, workspace_id, id, seq + 1 - kept.length)
    await updateSavedLog(ctx.db, workspace_id, id, { bytes: total('bytes') })
  }
  const [first, last] = [kept[0], kept.at(-1)]
  if (!first || !last)
    return void (await deleteSavedLog(ctx.db, workspace_id, application_id, details.container_id))
  await updateSavedLog(ctx.db, workspace_id, id, {
    lines: total('lines'),
    truncated: next.value.isTruncated || first.number > 0,
    first_at: first.firstAt,
    last_at: last.lastAt,
  })
  await deleteLogsOverLimit(ctx.db, workspace_id, application_id, maxBytes(application))
}

interface Chunk {
  number: number
  lines: number
  bytes: number
  firstAt: Date
  lastAt: Date
}

/** Each is read at once, so it stays small enough not to delay other requests. */
const [chunkBytes, chunkLines] = [262_144, 2_000]
/** The time and the stream of a line count too, so that empty lines are not free. */
const lineOverhead = 48

async function* compress(
  batches: AsyncGenerator<LogBatch, { isTruncated: boolean }>,
): AsyncGenerator<Chunk & { content: Buffer }, { isTruncated: boolean }> {
  let [lines, bytes, number]: [SavedLine[], number, number] = [[], 0, 0]

  async function* finishChunk() {
    const [first, last] = [lines[0], lines.at(-1)]
    if (!first || !last) return
    const content = await zip(
      JSON.stringify(lines.map(({ stream, text, at }) => [at, stream === 'stderr' ? 1 : 0, text])),
    )
    const [firstAt, lastAt] = [new Date(first.at), new Date(last.at)]
    yield { number, content, lines: lines.length, bytes, firstAt, lastAt }
    lines = []
    bytes = 0
    number += 1
  }

  let next = await batches.next()
  for (; !next.done; next = await batches.next()) {
    const { data } = next.value.event(true)
    if (data.type !== 'lines') continue
    for (const { stream, text, at = '' } of data.lines) {
      lines.push({ stream, text, at: isTime(at) ? at : (lines.at(-1)?.at ?? new Date().toISOString()) })
      bytes += Buffer.byteLength(text) + lineOverhead
      if (bytes >= chunkBytes || lines.length >= chunkLines) yield* finishChunk()
    }
  }
  yield* finishChunk()
  return next.value
}

const isTime = (at: string) => !Number.isNaN(Date.parse(at))

const sealContext = (id: Id<'savedLog'>, seq: number) => `saved_log_chunks.content_sealed:${id}:${seq}`

export async function openChunk(
  { secrets }: Pick<Context, 'secrets'>,
  { log_id, seq, content_sealed }: { log_id: Id<'savedLog'>; seq: number; content_sealed: string },
): Promise<SavedLine[]> {
  const content = Buffer.from(secrets.open(sealContext(log_id, seq), content_sealed), 'base64')
  // oxlint-disable-next-line no-unsafe-type-assertion -- written by compress
  const lines = JSON.parse((await unzip(content)).toString()) as [string, 0 | 1, string][]
  return lines.map(([at, stream, text]) => ({ stream: stream === 1 ? 'stderr' : 'stdout', text, at }))
}

/** Retention of saved logs, which each application sets (`log_days`). */
export const deleteExpiredLogs = (db: Db, signal: AbortSignal) =>
  deleteInBatches(
    db,
    'saved_logs',
    sql`saved_at < now() - make_interval(days => (
      select a.log_days from applications a
      where a.workspace_id = saved_logs.workspace_id and a.id = saved_logs.application_id))`,
    signal,
  )
