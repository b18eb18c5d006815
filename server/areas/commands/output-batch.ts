import type { OutputChunk } from '../../remote/detached.ts'
import { Utf8Decoder } from '../outputs/utf8-decoder.ts'
import type { NewOutput } from '../outputs/output.ts'
import type { Offsets } from './store.ts'

const flushDelay = 40
const flushBytes = 65_536

export class OutputBatch {
  private readonly decoders = { stdout: new Utf8Decoder(), stderr: new Utf8Decoder() }
  private readonly read: Offsets
  private pieces: NewOutput[] = []
  private size = 0
  private since = 0
  private writtenTo: Offsets

  constructor(from: Offsets) {
    this.read = { ...from }
    this.writtenTo = { ...from }
  }

  get written(): Offsets {
    return this.writtenTo
  }

  get isEmpty(): boolean {
    return this.size === 0
  }

  get isFull(): boolean {
    return this.size >= flushBytes
  }

  get due(): number {
    return Math.max(0, this.since + flushDelay - performance.now())
  }

  add({ stream, data, offset }: OutputChunk): void {
    if (this.isEmpty) this.since = performance.now()
    this.size += data.length
    this.read[stream] = offset
    this.say(stream, this.decoders[stream].write(data))
  }

  end(truncated: boolean, limit: number): void {
    for (const stream of ['stdout', 'stderr'] as const) {
      const rest = this.decoders[stream].end()
      const cut = truncated && this.read[stream] >= limit
      this.say(stream, cut ? '\n… truncated' : rest)
    }
  }

  get content(): { pieces: NewOutput[]; to: Offsets } {
    const { stdout, stderr } = this.decoders
    const to = { stdout: this.read.stdout - stdout.held, stderr: this.read.stderr - stderr.held }
    return { pieces: this.pieces, to }
  }

  clear(): void {
    this.writtenTo = this.content.to
    this.pieces = []
    this.size = 0
  }

  private say(stream: OutputChunk['stream'], text: string): void {
    if (text === '') return
    this.size = Math.max(this.size, 1)
    const last = this.pieces.at(-1)
    if (last?.stream === stream) last.text += text
    else this.pieces.push({ stream, text })
  }
}
