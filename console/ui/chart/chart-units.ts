export type Unit = 'share' | 'bytes' | 'rate' | 'number' | 'frequency' | 'milliseconds'

const number = (digits: number) => new Intl.NumberFormat('en', { maximumFractionDigits: digits })
const [whole, tenths, hundredths] = [number(0), number(1), number(2)]

/** Formats a value with three significant digits: 3.4%, 1.25 GiB, 120 KiB/s. */
export function formatInUnit(value: number, unit: Unit): string {
  if (unit === 'share') return `${(value < 0.0995 ? tenths : whole).format(value * 100)}%`
  if (unit === 'bytes') return inBytes(value)
  if (unit === 'rate') return `${inBytes(value)}/s`
  if (unit === 'frequency') return `${inDigits(value)}/s`
  if (unit === 'milliseconds') return inTime(value)
  return hundredths.format(value)
}

/** Formats a difference, such as “+12 ms”, “−3 GiB” or, between shares, “+5 pp”. */
export function formatDifference(
  value: number | null | undefined,
  before: number | null | undefined,
  unit: Unit,
): string {
  if (typeof value !== 'number' || typeof before !== 'number') return '–'
  const text = formatInUnit(Math.abs(value - before), unit)
  const words = unit === 'share' ? text.replace('%', ' pp') : text
  if (/^0(?![.\d])/.test(words)) return '±0'
  return `${value > before ? '+' : '−'}${words}`
}

const inTime = (value: number) =>
  value < 999.5
    ? `${(value < 9.95 ? tenths : whole).format(value)} ms`
    : `${hundredths.format(value / 1000)} s`

const sizes = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB']

function inBytes(value: number): string {
  let [size, at] = [value, 0]
  // A size that would round up to the next unit is shown in that unit.
  while (size >= 1023.5 && at < sizes.length - 1) {
    size /= 1024
    at += 1
  }
  return `${at === 0 ? whole.format(size) : inDigits(size)} ${sizes[at]}`
}

const inDigits = (value: number) =>
  (value >= 99.5 ? whole : value >= 9.95 ? tenths : hundredths).format(value)

/** Returns the steps of an axis that give round labels in the unit. */
export function axisSteps(unit: Unit): number[] {
  // CPU usage can exceed 100% of one core.
  if (unit === 'share') return Array.from({ length: 16 }, (_, power) => 2 ** power / 4)
  if (unit === 'number' || unit === 'frequency' || unit === 'milliseconds')
    return [-2, -1, 0, 1, 2, 3, 4, 5].flatMap((power) => [1, 2, 5].map((by) => by * 10 ** power))
  return Array.from({ length: 60 }, (_, power) => 2 ** power)
}
