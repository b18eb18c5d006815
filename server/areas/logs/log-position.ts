/**
 * Where a line stands in what a container has said. Docker's time is one of nanoseconds and always written in the same
 * length, so that texts compare as times do. Lines of one stream that have the same time are told apart by a number.
 */
export interface LogPosition {
  stamp: string
  /** Even for stdout, odd for stderr; two more with every line of that stream and time. */
  ordinal: number
}

export const formatPosition = ({ stamp, ordinal }: LogPosition) => `${stamp}.${ordinal}`

/** For lines of one stream: whether it was said after the other one. */
export const isAfter = (one: LogPosition, other: LogPosition) =>
  one.stamp > other.stamp || (one.stamp === other.stamp && one.ordinal > other.ordinal)

const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{9}Z)\.(\d{1,9})$/

/** The place that an id names; what we never told names none. */
export function parsePosition(id: string | undefined): LogPosition | undefined {
  const [, stamp, ordinal] = form.exec(id ?? '') ?? []
  if (stamp === undefined || ordinal === undefined || Number.isNaN(Date.parse(stamp))) return undefined
  return { stamp, ordinal: Number(ordinal) }
}

/** A moment of the contract, as seconds or with its date, in the form of Docker's times. */
export function toStamp(moment: string): string {
  const [, fraction = ''] = /\.(\d+)/.exec(moment) ?? []
  const whole = moment.replace(/\.\d+/, '')
  const date = new Date(whole.includes('T') ? whole : Number(whole) * 1_000)
  return `${date.toISOString().slice(0, 19)}.${fraction.padEnd(9, '0')}Z`
}

/** As Docker wants to be asked: seconds and nanoseconds since 1970. */
export function toDockerSeconds(stamp: string, secondsBefore = 0): string {
  const seconds = Date.parse(`${stamp.slice(0, 19)}Z`) / 1_000 - secondsBefore
  return `${Math.max(seconds, 0)}.${stamp.slice(20, 29)}`
}
