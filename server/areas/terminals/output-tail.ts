/** The last bytes of a stream, as whole lines once something had to go. */
export class OutputTail {
  private readonly ring: Buffer
  /** How many came in all; the next one goes to this place, counted around the ring. */
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
    // Half a character or half an escape sequence at the beginning would be drawn as rubbish.
    return all.subarray(all.indexOf(newline) + 1)
  }
}

const newline = 0x0a
