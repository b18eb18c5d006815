import { promisify } from 'node:util'
import { gunzip, gzip } from 'node:zlib'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { LogBatch } from '../logs/log-batch.ts'
import type { SavedLogRow } from './store.ts'

const [zip, unzip] = [promisify(gzip), promisify(gunzip)]

export interface SavedLine {
  stream: 'stdout' | 'stderr'
  text: string
  at: string
}

export interface Chunk {
  number: number
  lines: number
  bytes: number
  firstAt: Date
  lastAt: Date
}

/** Result of a reader that is closed before its end. */
export const unfinished = { isTruncated: true, position: null }

interface CompressedChunk extends Chunk {
  content: Buffer
}

/** A chunk is read as a whole, so it must be small enough not to delay other requests. */
const [chunkBytes, chunkLines] = [262_144, 2_000]
/** Bytes that each line counts in addition to its text, so that empty lines are not free. */
const lineOverhead = 48

export async function* compress(
  batches: AsyncGenerator<LogBatch, { isTruncated: boolean }>,
): AsyncGenerator<CompressedChunk, { isTruncated: boolean; position: string | null }> {
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

  let position: string | null = null
  try {
    let next = await batches.next()
    for (; !next.done; next = await batches.next()) {
      const { id, data } = next.value.event(true)
      if (id !== '') position = id
      if (data.type !== 'lines') continue
      for (const { stream, text, at = '' } of data.lines) {
        lines.push({ stream, text, at: isTime(at) ? at : (lines.at(-1)?.at ?? new Date().toISOString()) })
        bytes += Buffer.byteLength(text) + lineOverhead
        if (bytes >= chunkBytes || lines.length >= chunkLines) yield* finishChunk()
      }
    }
    yield* finishChunk()
    return { ...next.value, position }
  } finally {
    // A server has few readers, so the reader must be closed.
    await batches.return(unfinished)
  }
}

const isTime = (at: string) => !Number.isNaN(Date.parse(at))

type LogRef = Pick<SavedLogRow, 'workspace_id' | 'id'>

export const toChunkRow = (
  { secrets }: Pick<Context, 'secrets'>,
  { workspace_id, id }: LogRef,
  seq: number,
  { content, lines, lastAt }: CompressedChunk,
) => ({
  workspace_id,
  log_id: id,
  seq,
  content_sealed: secrets.seal(sealContext(id, seq), content.toString('base64')),
  lines,
  last_at: lastAt,
})

const sealContext = (id: Id<'savedLog'>, seq: number) => `saved_log_chunks.content_sealed:${id}:${seq}`

export async function openChunk(
  { secrets }: Pick<Context, 'secrets'>,
  { log_id, seq, content_sealed }: { log_id: Id<'savedLog'>; seq: number; content_sealed: string },
): Promise<SavedLine[]> {
  const content = Buffer.from(secrets.open(sealContext(log_id, seq), content_sealed), 'base64')
  // oxlint-disable-next-line no-unsafe-type-assertion -- `compress` wrote the lines
  const lines = JSON.parse((await unzip(content)).toString()) as [string, 0 | 1, string][]
  return lines.map(([at, stream, text]) => ({ stream: stream === 1 ? 'stderr' : 'stdout', text, at }))
}
