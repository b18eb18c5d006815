import type { LogEntry } from './feed/log-entry.ts'
import type { LogStore } from './feed/log-store.ts'

const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number) => String(value).padStart(2, '0')

/** Returns local times such as "31 Jan" and "12:00:00.123". */
export function lineTime(at: string): { day: string; time: string } {
  const then = new Date(at)
  return {
    day: `${two(then.getDate())} ${months[then.getMonth()]}`,
    time: `${clockOf(then)}.${String(then.getMilliseconds()).padStart(3, '0')}`,
  }
}

export const clockTime = (at: string) => clockOf(new Date(at))

/** Returns local times such as "31 Jan 12:00:00", with the year unless it is the current one. */
export function dayAndTime(at: string, now = new Date()): string {
  const { day, time } = lineTime(at)
  const year = new Date(at).getFullYear()
  return [day, ...(year === now.getFullYear() ? [] : [year]), time.replace('.000', '')].join(' ')
}

export function fieldTime(then: Date): string {
  const day = [then.getFullYear(), two(then.getMonth() + 1), two(then.getDate())].join('-')
  return `${day}T${clockOf(then)}`
}

const clockOf = (then: Date) => [then.getHours(), then.getMinutes(), then.getSeconds()].map(two).join(':')

/** Returns text such as "1,234 lines were" or "1 line was". */
export const formatLineCount = (count: number, one: string, many: string) =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`

export function formatEntry(entry: LogEntry, timestamps: boolean): string {
  if (entry.kind === 'note') return `— ${entry.text}`
  return timestamps && entry.at !== undefined ? `${entry.at} ${entry.text}` : entry.text
}

export function formatLog(store: LogStore, timestamps: boolean): string {
  const lines: string[] = []
  for (let number = store.first; number < store.end; number++) {
    const entry = store.get(number)
    if (entry) lines.push(formatEntry(entry, timestamps))
  }
  return lines.join('\n')
}

/** Returns the time of a URL parameter, or '' if the API would reject it. */
export function parseTimeParam(time: string | null): string {
  if (time === null || !moment.test(time)) return ''
  return Date.parse(time) >= 0 ? time : ''
}

const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/
