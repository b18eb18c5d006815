import type { OutputChunk } from '../detached.ts'

const NEWLINE = 10
/** Longer lines are split. */
const LONGEST = 65_536

type Stream = OutputChunk['stream']

/** Assembles lines from chunks and tracks the offset after the last complete line. */
export class LineAssembler {
  private readonly waiting: Record<Stream, Buffer> = { stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) }
  private readonly read: Record<Stream, number>

  constructor(from: Record<Stream, number>) {
    this.read = { ...from }
  }

  /** Returns complete lines. */
  add({ stream, data, offset }: OutputChunk): string {
    const all = Buffer.concat([this.waiting[stream], data])
    const whole = all.length > LONGEST ? all.length : all.lastIndexOf(NEWLINE) + 1
    this.waiting[stream] = all.subarray(whole)
    this.read[stream] = offset
    return textOf(all.subarray(0, whole))
  }

  /** Returns the rest at the end of the output. */
  end(): string {
    const rest = [this.waiting.stdout, this.waiting.stderr].filter((bytes) => bytes.length > 0)
    this.waiting.stdout = this.waiting.stderr = Buffer.alloc(0)
    return rest.map((bytes) => `${textOf(bytes)}\n`).join('')
  }

  /** Offsets after the last returned line, to continue reading. */
  get reached() {
    return {
      stdout_offset: this.read.stdout - this.waiting.stdout.length,
      stderr_offset: this.read.stderr - this.waiting.stderr.length,
    }
  }
}

/** PostgreSQL cannot store NUL. */
const textOf = (bytes: Buffer) => bytes.toString('utf8').replaceAll('\0', '')
