import type { Readable } from 'node:stream'
import { ConnectionLost, RemoteError } from '../../remote/errors.ts'
import { LogBatch } from './log-batch.ts'

const maxLineBytes = 1_048_576
/** Docker stores a longer line in pieces of this size, all with the same time. */
const pieceSize = 16_384
/** Length of `2030-01-31T12:00:00.000000000Z` and a space. */
const stampSize = 31
const headerSize = 8
const [lineFeed, carriageReturn] = [10, 13]

interface Stream {
  parity: number
  stamp: string
  ordinal: number
  waiting: Buffer[]
  bytes: number
}

const newStream = (parity: number): Stream => ({
  parity,
  stamp: '',
  ordinal: parity,
  waiting: [],
  bytes: 0,
})

export class LogReadError extends Error {}

export class LineReader {
  /**
   * Number of pieces read, which differs from the number of lines, because Docker counts each piece of a long line as a
   * line.
   */
  pieces = 0
  firstStamp: string | undefined
  private readonly tty: boolean
  private readonly stdout = newStream(0)
  private readonly stderr = newStream(1)
  private rest: Buffer = Buffer.alloc(0)
  private lines = new LogBatch()

  constructor(tty: boolean) {
    this.tty = tty
  }

  read(chunk: Buffer): LogBatch {
    const bytes = this.rest.length > 0 ? Buffer.concat([this.rest, chunk]) : chunk
    const used = this.tty ? this.readPlain(bytes) : this.readFrames(bytes)
    // The bytes are copied, so that the whole chunk is not retained for a few of them.
    this.rest = used === bytes.length ? Buffer.alloc(0) : Buffer.from(bytes.subarray(used))
    return this.take()
  }

  end(isOver: boolean): LogBatch {
    if (this.tty && this.rest.length > 0) this.piece(this.stdout, this.rest, 0, this.rest.length)
    for (const stream of isOver ? [this.stdout, this.stderr] : [])
      if (stream.bytes > 0) this.finish(stream, Buffer.concat(stream.waiting))
    return this.take()
  }

  private take(): LogBatch {
    const lines = this.lines
    this.lines = new LogBatch()
    return lines
  }

  private readFrames(bytes: Buffer): number {
    let offset = 0
    while (offset + headerSize <= bytes.length) {
      const from = offset + headerSize
      const to = from + bytes.readUInt32BE(offset + 4)
      if (to > bytes.length) break
      const kind = bytes[offset]
      if (kind !== 1 && kind !== 2) throw new LogReadError(bytes.toString('utf8', from, to).trim())
      this.piece(kind === 2 ? this.stderr : this.stdout, bytes, from, to)
      offset = to
    }
    return offset
  }

  private readPlain(bytes: Buffer): number {
    for (let offset = 0; ;) {
      const text = offset + (isStamp(bytes, offset) ? stampSize : 0)
      const feed = bytes.indexOf(lineFeed, text)
      const isWhole = feed >= 0 && feed < text + pieceSize
      const most = isWhole ? feed + 1 : text + pieceSize
      if (most > bytes.length || bytes.length - offset < stampSize) return offset
      this.piece(this.stdout, bytes, offset, most)
      offset = most
    }
  }

  private piece(stream: Stream, bytes: Buffer, begin: number, end: number): void {
    this.pieces++
    const stamped = isStamp(bytes, begin)
    const stamp = stamped ? bytes.toString('latin1', begin, begin + stampSize - 1) : stream.stamp
    this.firstStamp ??= stamp
    const from = stamped ? begin + stampSize : begin
    if (stamp !== stream.stamp) {
      if (stream.bytes > 0) this.finish(stream, Buffer.concat(stream.waiting))
      stream.stamp = stamp
      stream.ordinal = stream.parity
    }
    const ends = bytes[end - 1] === lineFeed
    const to = ends ? end - 1 : end
    if (ends || to - from < pieceSize) {
      if (stream.bytes === 0) this.line(stream, bytes, from, to)
      else this.finish(stream, Buffer.concat([...stream.waiting, bytes.subarray(from, to)]))
    } else this.wait(stream, bytes.subarray(from, to))
  }

  private wait(stream: Stream, piece: Buffer): void {
    stream.waiting.push(Buffer.from(piece))
    stream.bytes += piece.length
    if (stream.bytes <= maxLineBytes) return
    const all = Buffer.concat(stream.waiting)
    const cut = characterStart(all, maxLineBytes)
    this.line(stream, all, 0, cut)
    stream.waiting = [all.subarray(cut)]
    stream.bytes = all.length - cut
  }

  private finish(stream: Stream, all: Buffer): void {
    stream.waiting = []
    stream.bytes = 0
    const cut = all.length > maxLineBytes ? characterStart(all, maxLineBytes) : 0
    if (cut > 0) this.line(stream, all, 0, cut)
    this.line(stream, all, cut, all.length)
  }

  private line(stream: Stream, bytes: Buffer, from: number, end: number): void {
    const to = this.tty && end > from && bytes[end - 1] === carriageReturn ? end - 1 : end
    this.lines.add(stream.stamp, stream.ordinal, bytes.toString('utf8', from, to))
    stream.ordinal += 2
  }
}

const [hyphen, tee, zed, space] = ['-', 'T', 'Z', ' '].map((sign) => sign.charCodeAt(0))

const isStamp = (bytes: Buffer, offset: number) =>
  bytes[offset + 4] === hyphen &&
  bytes[offset + 10] === tee &&
  bytes[offset + 29] === zed &&
  bytes[offset + 30] === space

function characterStart(bytes: Buffer, offset: number): number {
  for (let back = 0; back < 4; back++) if (((bytes[offset - back] ?? 0) & 0xc0) !== 0x80) return offset - back
  return offset
}

export async function* readChunks(log: Readable): AsyncGenerator<Buffer> {
  try {
    for await (const chunk of log) if (Buffer.isBuffer(chunk)) yield chunk
  } catch (error) {
    if (error instanceof RemoteError) throw error
    throw new ConnectionLost('Docker closed the log stream.', { cause: error })
  }
}
