import type { RemoteShell } from '../../remote/host.ts'

const pauseAboveBytes = 1_048_576
const resumeBelowBytes = 262_144

/**
 * Applies backpressure: pauses a shell while its reader is behind, so that output waits on the server and not in
 * memory.
 */
export class FlowControl {
  private readonly shell: Pick<RemoteShell, 'pause' | 'resume'>
  private buffered = () => 0
  private sentBytes = 0
  private acknowledged: number | undefined
  private isPaused = false

  constructor(shell: Pick<RemoteShell, 'pause' | 'resume'>) {
    this.shell = shell
  }

  begin(buffered: () => number): void {
    this.buffered = buffered
    this.sentBytes = 0
    this.acknowledged = undefined
    this.balance()
  }

  release(): void {
    this.begin(() => 0)
  }

  sent(bytes: number): void {
    this.sentBytes += bytes
    this.balance()
  }

  seen(bytes: number): void {
    this.acknowledged = Math.min(bytes, this.sentBytes)
    this.balance()
  }

  balance(): void {
    const behind = Math.max(
      this.buffered(),
      this.acknowledged === undefined ? 0 : this.sentBytes - this.acknowledged,
    )
    if (!this.isPaused && behind > pauseAboveBytes) {
      this.isPaused = true
      this.shell.pause()
    } else if (this.isPaused && behind < resumeBelowBytes) {
      this.isPaused = false
      this.shell.resume()
    }
  }
}

/** Keeps the last bytes of the output in a ring buffer, to redraw the screen after a reconnect. */
export class OutputTail {
  private readonly ring: Buffer
  private count = 0

  constructor(size: number) {
    this.ring = Buffer.alloc(size)
  }

  push(chunk: Buffer): void {
    const size = this.ring.length
    const last = chunk.subarray(-size)
    const place = (this.count + chunk.length - last.length) % size
    const written = last.copy(this.ring, place)
    last.copy(this.ring, 0, written)
    this.count += chunk.length
  }

  read(): Buffer {
    const size = this.ring.length
    if (this.count <= size) return Buffer.from(this.ring.subarray(0, this.count))
    const place = this.count % size
    const all = Buffer.concat([this.ring.subarray(place), this.ring.subarray(0, place)])
    // The output starts after a line break, because part of a character or escape sequence would garble the screen.
    return all.subarray(all.indexOf(newline) + 1)
  }
}

const newline = 0x0a
