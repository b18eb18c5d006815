import type { LogBatch } from './log-batch.ts'
import { formatPosition, type LogPosition } from './log-position.ts'

interface NumberedBatch {
  /** The number of its first line. */
  first: number
  batch: LogBatch
}

/** The latest lines, numbered from 0; the oldest are thrown away. */
export class LogRing {
  private kept: NumberedBatch[] = []
  private cost = 0
  /** Bytes of recent lines that are kept, for all who read them together. */
  mostKept = 8_388_608
  /** The number of the oldest line that is kept, and of the one that will come next. */
  oldest = 0
  next = 0
  /** The place before the oldest. */
  before: LogPosition | undefined

  /** Whether nobody knows yet where it begins. */
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

  /** The number of the line after this place, or nothing when it is not here. */
  after(place: LogPosition): number | undefined {
    if (this.before && formatPosition(this.before) === formatPosition(place)) return this.oldest
    for (const { first, batch } of this.kept) {
      const index = batch.indexOf(place)
      if (index >= 0) return first + index + 1
    }
    return undefined
  }

  /** The lines from this number on that were kept together. */
  from(number: number): LogBatch | undefined {
    // Nearly everybody reads the latest.
    const found = this.kept.findLast(({ first }) => first <= number)
    if (!found || number >= found.first + found.batch.size) return undefined
    return found.batch.from(number - found.first)
  }
}
