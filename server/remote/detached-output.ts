import type { RemoteProcess } from './host.ts'
import type { OutputChunk } from './detached.ts'

/**
 * Splits a stream at its marks and drops output before the first one, such as a login greeting. The mark is random, so
 * the content cannot contain it.
 */
export class MarkedStream {
  private readonly mark: Buffer
  private readonly pass: (piece: Buffer) => void
  private held: Buffer = Buffer.alloc(0)
  private part: 'before' | 'content' | 'trailer' = 'before'

  constructor(mark: string, pass: (piece: Buffer) => void) {
    this.mark = Buffer.from(mark)
    this.pass = pass
  }

  get begun(): boolean {
    return this.part !== 'before'
  }

  get trailer(): string | undefined {
    return this.part === 'trailer' ? this.held.toString() : undefined
  }

  take(piece: Buffer): void {
    this.held = this.held.length > 0 ? Buffer.concat([this.held, piece]) : piece
    if (this.part === 'before') this.cross(() => {})
    if (this.part === 'content') this.cross(this.pass)
  }

  /** Passes on all bytes except those that may be the beginning of the mark. */
  private cross(pass: (piece: Buffer) => void) {
    const at = this.held.indexOf(this.mark)
    const until = at >= 0 ? at : this.held.length - this.overlap()
    if (until > 0) pass(this.held.subarray(0, until))
    this.held = this.held.subarray(at >= 0 ? at + this.mark.length : until)
    if (at >= 0) this.part = this.part === 'before' ? 'content' : 'trailer'
  }

  private overlap(): number {
    for (let size = Math.min(this.mark.length - 1, this.held.length); size > 0; size--)
      if (this.held.subarray(this.held.length - size).equals(this.mark.subarray(0, size))) return size
    return 0
  }
}

/** Maximum number of bytes that wait for the reader before the streams are paused. */
const enough = 1024 * 1024

export class ChunkQueue<T extends { data: Buffer }> {
  private readonly process: RemoteProcess
  private waiting: T[] = []
  private size = 0
  private wake = () => {}

  constructor(process: RemoteProcess) {
    this.process = process
  }

  add(piece: T): void {
    this.waiting.push(piece)
    this.size += piece.data.length
    if (this.size > enough) this.flow('pause')
    this.wake()
  }

  /** Yields all received chunks, then throws if the connection was lost or `signal` was aborted. */
  async *all(signal: AbortSignal): AsyncGenerator<T, void> {
    let over = false
    let failure: unknown
    const end = () => {
      over = true
      this.wake()
    }
    this.process.ended.catch((error: unknown) => (failure = error)).finally(end)
    signal.addEventListener('abort', end, { once: true })
    for (;;) {
      while (this.waiting.length > 0) {
        const pieces = this.waiting
        this.waiting = []
        yield* pieces
        this.size = 0
        this.flow('resume')
      }
      if (over) break
      signal.throwIfAborted()
      await new Promise<void>((resolve) => (this.wake = resolve))
    }
    signal.removeEventListener('abort', end)
    signal.throwIfAborted()
    if (failure !== undefined) throw failure
  }

  private flow(how: 'pause' | 'resume') {
    this.process.stdout[how]()
    this.process.stderr[how]()
  }
}

const NEWLINE = 10
const LONGEST = 65_536

type Stream = OutputChunk['stream']

export class LineAssembler {
  private readonly waiting: Record<Stream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
  private readonly read: Record<Stream, number>

  constructor(from: Record<Stream, number>) {
    this.read = { ...from }
  }

  add({ stream, data, offset }: OutputChunk): string {
    const all = Buffer.concat([this.waiting[stream], data])
    const whole = all.length > LONGEST ? all.length : all.lastIndexOf(NEWLINE) + 1
    this.waiting[stream] = all.subarray(whole)
    this.read[stream] = offset
    return decode(all.subarray(0, whole))
  }

  end(): string {
    const rest = [this.waiting.stdout, this.waiting.stderr].filter((bytes) => bytes.length > 0)
    this.waiting.stdout = this.waiting.stderr = Buffer.alloc(0)
    return rest.map((bytes) => `${decode(bytes)}\n`).join('')
  }

  get reached() {
    return {
      stdout_offset: this.read.stdout - this.waiting.stdout.length,
      stderr_offset: this.read.stderr - this.waiting.stderr.length,
    }
  }
}

/** NUL is removed, because PostgreSQL cannot store it. */
const decode = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '')
