/** Docker's nanosecond times have a fixed length, so that strings compare as times. */
export interface LogPosition {
  stamp: string
  /** Even for stdout, odd for stderr; increases by two per line of that stream and time. */
  ordinal: number
}

export const formatPosition = ({ stamp, ordinal }: LogPosition) => `${stamp}.${ordinal}`

export const isAfter = (a: LogPosition, b: LogPosition) =>
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

/** Docker expects seconds and nanoseconds since 1970. */
export function toDockerSeconds(stamp: string, secondsBefore = 0): string {
  const seconds = Date.parse(`${stamp.slice(0, 19)}Z`) / 1_000 - secondsBefore
  return `${Math.max(seconds, 0)}.${stamp.slice(20, 29)}`
}
