import type { RemoteProcess } from '../host.ts'

/** Bytes that may wait for the reader before the streams are paused. */
const enough = 1024 * 1024

/** Queues the output of a process in order, with backpressure. */
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

  /** Yields all chunks; throws when the connection is lost, after the received chunks, and on abort. */
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
