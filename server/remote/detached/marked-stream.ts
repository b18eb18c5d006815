/**
 * Splits a stream of the form `…mark content mark trailer`. Drops output before the first mark, such as a login
 * greeting. The mark is random, so the content cannot contain it.
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

  /** Text after the last mark. */
  get trailer(): string | undefined {
    return this.part === 'trailer' ? this.held.toString() : undefined
  }

  take(piece: Buffer): void {
    this.held = this.held.length > 0 ? Buffer.concat([this.held, piece]) : piece
    if (this.part === 'before') this.cross(() => {})
    if (this.part === 'content') this.cross(this.pass)
  }

  /** Holds back only what may be the beginning of the mark. */
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
