import type { z } from 'zod'
import type { logEvent } from '../../../contract/logs.ts'
import type { LiveEvent } from '../../route.ts'

export type LogEvent = LiveEvent<z.input<typeof logEvent>>

const costOfLine = 128

/** Stores lines as parallel arrays, because there may be hundreds of thousands per second. */
export class LogBatch {
  private readonly stamps: string[] = []
  private readonly ordinals: number[] = []
  private readonly texts: string[] = []
  private readonly events = new Map<boolean, LogEvent>()
  cost = 0
  last: LogPosition | undefined

  get size(): number {
    return this.texts.length
  }

  add(stamp: string, ordinal: number, text: string): void {
    this.stamps.push(stamp)
    this.ordinals.push(ordinal)
    this.texts.push(text)
    this.cost += text.length + costOfLine
    this.last = { stamp, ordinal }
  }

  addAll(batch: LogBatch): void {
    for (let index = 0; index < batch.size; index++) this.addFrom(batch, index)
    this.last = batch.last ?? this.last
  }

  indexOf({ stamp, ordinal }: LogPosition): number {
    for (let index = this.stamps.indexOf(stamp); index >= 0; index = this.stamps.indexOf(stamp, index + 1))
      if (this.ordinals[index] === ordinal) return index
    return -1
  }

  from(index: number): LogBatch {
    return index <= 0 ? this : this.where((_, position) => position >= index)
  }

  where(passes: (stamp: string, index: number) => boolean): LogBatch {
    const some = new LogBatch()
    for (let index = 0; index < this.size; index++)
      if (passes(this.stamps[index] ?? '', index)) some.addFrom(this, index)
    some.last = this.last
    return some
  }

  behind(read: Map<number, LogPosition>): LogBatch {
    const some = new LogBatch()
    for (let index = 0; index < this.size; index++) {
      const place = { stamp: this.stamps[index] ?? '', ordinal: this.ordinals[index] ?? 0 }
      const stream = place.ordinal % 2
      const before = read.get(stream)
      if (before && !isAfter(place, before)) continue
      read.set(stream, place)
      some.addFrom(this, index)
    }
    return some
  }

  lastOf(count: number, mostCost: number): LogBatch {
    let [index, cost] = [this.size, 0]
    while (index > Math.max(this.size - count, 0)) {
      cost += (this.texts[index - 1]?.length ?? 0) + costOfLine
      if (cost > mostCost && index < this.size) break
      index--
    }
    return this.from(index)
  }

  within(since?: string, until?: string): LogBatch {
    if (since === undefined && until === undefined) return this
    const passes = (stamp: string) => (!since || stamp >= since) && (!until || stamp <= until)
    return this.stamps.every(passes) ? this : this.where(passes)
  }

  isBeyond(stamp: string): boolean {
    return this.stamps.some((lineStamp) => lineStamp > stamp)
  }

  /** Returns a cached event, so that viewers of the same lines share it. */
  event(timestamps: boolean): LogEvent {
    const known = this.events.get(timestamps)
    if (known) return known
    const lines = this.texts.map((text, index) => {
      const stream = (this.ordinals[index] ?? 0) % 2 === 0 ? ('stdout' as const) : ('stderr' as const)
      return timestamps ? { stream, text, at: this.stamps[index] } : { stream, text }
    })
    const event: LogEvent = {
      id: this.last ? formatPosition(this.last) : '',
      data: { type: 'lines', lines },
      shared: true,
    }
    this.events.set(timestamps, event)
    return event
  }

  text(timestamps: boolean): string {
    if (!timestamps) return this.size === 0 ? '' : `${this.texts.join('\n')}\n`
    return this.texts.map((text, index) => `${this.stamps[index]} ${text}\n`).join('')
  }

  private addFrom(batch: LogBatch, index: number): void {
    this.add(batch.stamps[index] ?? '', batch.ordinals[index] ?? 0, batch.texts[index] ?? '')
  }
}

interface NumberedBatch {
  first: number
  batch: LogBatch
}

export class LogRing {
  private kept: NumberedBatch[] = []
  private cost = 0
  mostKept = 8_388_608
  oldest = 0
  next = 0
  before: LogPosition | undefined

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

  after(place: LogPosition): number | undefined {
    if (this.before && formatPosition(this.before) === formatPosition(place)) return this.oldest
    for (const { first, batch } of this.kept) {
      const index = batch.indexOf(place)
      if (index >= 0) return first + index + 1
    }
    return undefined
  }

  from(number: number): LogBatch | undefined {
    // The search starts at the end, because nearly all viewers read the latest lines.
    const entry = this.kept.findLast(({ first }) => first <= number)
    if (!entry || number >= entry.first + entry.batch.size) return undefined
    return entry.batch.from(number - entry.first)
  }
}

/** Position of a line. The nanosecond times of Docker have a fixed length, so that they compare as strings. */
export interface LogPosition {
  stamp: string
  /** Even for stdout, odd for stderr. The ordinal increases by two with each line of the same stream and time. */
  ordinal: number
}

export const formatPosition = ({ stamp, ordinal }: LogPosition) => `${stamp}.${ordinal}`

const isAfter = (a: LogPosition, b: LogPosition) =>
  a.stamp > b.stamp || (a.stamp === b.stamp && a.ordinal > b.ordinal)

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z)\.(\d{1,9})$/

export function parsePosition(id: string | undefined): LogPosition | undefined {
  const [, stamp, ordinal] = form.exec(id ?? '') ?? []
  if (stamp === undefined || ordinal === undefined || Number.isNaN(Date.parse(stamp))) return undefined
  return { stamp, ordinal: Number(ordinal) }
}

export function toStamp(moment: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(moment) ?? []
  const whole = moment.replace(/\.\d+/, '')
  const date = new Date(whole.includes('T') ? whole : Number(whole) * 1_000)
  return `${date.toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`
}

/** Converts a time to seconds and nanoseconds since 1970, as Docker expects. */
export function toDockerSeconds(stamp: string, secondsBefore = 0): string {
  const seconds = Date.parse(`${stamp.slice(0, 19)}Z`) / 1_000 - secondsBefore
  return `${Math.max(seconds, 0)}.${stamp.slice(20, 29)}`
}
