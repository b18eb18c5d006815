import type { OutputChunk } from '../../remote/detached.ts'
import { Decoder } from '../outputs/decode.ts'
import type { NewOutput } from '../outputs/output.ts'
import type { Offsets } from './store.ts'

/** Milliseconds after which what came first is written down, with all that came since… */
const patience = 40
/** …or the bytes at which it is done sooner. */
const most = 65_536

/** What was read of a command's output and is not written down yet, as text. */
export class OutputBatch {
  private readonly decoders = { stdout: new Decoder(), stderr: new Decoder() }
  private readonly read: Offsets
  private pieces: NewOutput[] = []
  private size = 0
  private since = 0
  private writtenTo: Offsets

  constructor(from: Offsets) {
    this.read = { ...from }
    this.writtenTo = { ...from }
  }

  /** How far what was written down reaches. */
  get written(): Offsets {
    return this.writtenTo
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  get isFull(): boolean {
    return this.size >= most
  }

  /** Milliseconds until it is to be written down. */
  get due(): number {
    return Math.max(0, this.since + patience - performance.now())
  }

  add({ stream, data, offset }: OutputChunk): void {
    if (this.isEmpty) this.since = performance.now()
    this.size += data.length
    this.read[stream] = offset
    this.say(stream, this.decoders[stream].write(data))
  }

  /** Nothing more comes. A stream that was cut at `limit` says so, and not what the cut left of a character. */
  end(truncated: boolean, limit: number): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.decoders[stream].end()
      const cut = truncated && this.read[stream] >= limit
      this.say(stream, cut ? '\n… truncated' : rest)
    }
  }

  /** What is to be written down, and how far it reaches: not into a character whose rest is missing. */
  get content(): { pieces: NewOutput[]; to: Offsets } {
    const { stdout, stderr } = this.decoders
    const to = { stdout: this.read.stdout - stdout.held, stderr: this.read.stderr - stderr.held }
    return { pieces: this.pieces, to }
  }

  /** All of that is written down. */
  clear(): void {
    this.writtenTo = this.content.to
    this.pieces = []
    this.size = 0
  }

  /** What follows in the same stream is one piece. */
  private say(stream: OutputChunk['stream'], text: string): void {
    if (text === '') return
    this.size = Math.max(this.size, 1)
    const last = this.pieces.at(-1)
    if (last?.stream === stream) last.text += text
    else this.pieces.push({ stream, text })
  }
}
