import type { LogBatch } from './log-batch.ts'
import { formatPosition, type LogPosition } from './log-position.ts'

interface NumberedBatch {
  first: number
  batch: LogBatch
}

/** Keeps the latest lines, numbered from 0. */
export class LogRing {
  private kept: NumberedBatch[] = []
  private cost = 0
  /** Shared by all viewers. */
  mostKept = 8_388_608
  /** Numbers of the oldest kept line and of the next line. */
  oldest = 0
  next = 0
  /** Position before the oldest line. */
  before: LogPosition | undefined

  /** True until the start position is known. */
  get isNew(): boolean {
    return this.next === 0 && !this.before
  }

  add(batch: LogBatch): void {
    if (batch.size === 0) return
    this.kept.push({ first: this.next, batch })
    this.next += batch.size
    this.cost += batch.cost
    while (this.cost > this.mostKept && this.kept.length > 1) this.forgetOldest()
  }

  private forgetOldest(): void {
    const [gone] = this.kept.splice(0, 1)
    if (!gone) return
    this.cost -= gone.batch.cost
    this.oldest = gone.first + gone.batch.size
    this.before = gone.batch.last
  }

  /** Returns the number of the line after a position, or undefined when it is not kept. */
  after(place: LogPosition): number | undefined {
    if (this.before && formatPosition(this.before) === formatPosition(place)) return this.oldest
    for (const { first, batch } of this.kept) {
      const index = batch.indexOf(place)
      if (index >= 0) return first + index + 1
    }
    return undefined
  }

  /** Returns lines that were added together, from this number on. */
  from(number: number): LogBatch | undefined {
    // Nearly all viewers read the latest lines, so search from the end.
    const found = this.kept.findLast(({ first }) => first <= number)
    if (!found || number >= found.first + found.batch.size) return undefined
    return found.batch.from(number - found.first)
  }
}
