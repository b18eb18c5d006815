/** Keeps the last bytes of a stream, starting with a complete line once output was dropped. */
export class OutputTail {
  private readonly ring: Buffer
  /** Total bytes; the next write position modulo the size. */
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
