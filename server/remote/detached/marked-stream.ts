/**
 * Takes a stream apart that holds `…mark content mark trailer`: what stands before the first mark (a greeting of the
 * log-in shell) is dropped, the content passed on as it comes. The mark is random, so the content cannot hold it.
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

  /** What stands behind the last mark. */
  get trailer(): string | undefined {
    return this.part === 'trailer' ? this.held.toString() : undefined
  }

  take(piece: Buffer): void {
    this.held = this.held.length > 0 ? Buffer.concat([this.held, piece]) : piece
    if (this.part === 'before') this.cross(() => {})
    if (this.part === 'content') this.cross(this.pass)
  }

  /** Passes on what is before the mark; keeps back only what may be the mark's beginning. */
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
