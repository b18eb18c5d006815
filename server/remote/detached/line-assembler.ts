import type { OutputChunk } from '../detached.ts'

const NEWLINE = 10
/** A line that is longer is told in parts. */
const LONGEST = 65_536

type Stream = OutputChunk['stream']

/** Makes whole lines of pieces that are cut anywhere, and knows how far the lines that were told reach. */
export class LineAssembler {
  private readonly waiting: Record<Stream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
  private readonly read: Record<Stream, number>

  constructor(from: Record<Stream, number>) {
    this.read = { ...from }
  }

  /** The lines that are whole by now. */
  add({ stream, data, offset }: OutputChunk): string {
    const all = Buffer.concat([this.waiting[stream], data])
    const whole = all.length > LONGEST ? all.length : all.lastIndexOf(NEWLINE) + 1
    this.waiting[stream] = all.subarray(whole)
    this.read[stream] = offset
    return textOf(all.subarray(0, whole))
  }

  /** What is left when nothing more comes. */
  end(): string {
    const rest = [this.waiting.stdout, this.waiting.stderr].filter((bytes) => bytes.length > 0)
    this.waiting.stdout = this.waiting.stderr = Buffer.alloc(0)
    return rest.map((bytes) => `${textOf(bytes)}\n`).join('')
  }

  /** Where to go on reading: behind the last line that was told. */
  get reached() {
    return {
      stdout_offset: this.read.stdout - this.waiting.stdout.length,
      stderr_offset: this.read.stderr - this.waiting.stderr.length,
    }
  }
}

/** PostgreSQL holds everything but NUL. */
const textOf = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '')
