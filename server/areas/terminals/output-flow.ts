import type { RemoteShell } from '../../remote/host.ts'

const mostBehind = 1_048_576
const closeEnough = 262_144

/** Pauses a shell while its reader is behind, so that output waits on the server and not in memory. */
export class FlowControl {
  private readonly shell: Pick<RemoteShell, 'pause' | 'resume'>
  private buffered = () => 0
  private out = 0
  private drawn: number | undefined
  private held = false

  constructor(shell: Pick<RemoteShell, 'pause' | 'resume'>) {
    this.shell = shell
  }

  begin(buffered: () => number): void {
    this.buffered = buffered
    this.out = 0
    this.drawn = undefined
    this.balance()
  }

  release(): void {
    this.begin(() => 0)
  }

  sent(bytes: number): void {
    this.out += bytes
    this.balance()
  }

  seen(bytes: number): void {
    this.drawn = Math.min(bytes, this.out)
    this.balance()
  }

  balance(): void {
    const behind = Math.max(this.buffered(), this.drawn === undefined ? 0 : this.out - this.drawn)
    if (!this.held && behind > mostBehind) {
      this.held = true
      this.shell.pause()
    } else if (this.held && behind < closeEnough) {
      this.held = false
      this.shell.resume()
    }
  }
}

export class OutputTail {
  private readonly ring: Buffer
  private count = 0

  constructor(most: number) {
    this.ring = Buffer.alloc(most)
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
    // Half a character or escape sequence would garble the screen.
    return all.subarray(all.indexOf(newline) + 1)
  }
}

const newline = 0x0a
