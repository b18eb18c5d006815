const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number) => String(value).padStart(2, '0')

/** "31 Jan" and "12:00:00.123", where the reader is. */
export function lineTime(at: string): { day: string; time: string } {
  const then = new Date(at)
  return {
    day: `${two(then.getDate())} ${months[then.getMonth()]}`,
    time: `${clockOf(then)}.${String(then.getMilliseconds()).padStart(3, '0')}`,
  }
}

/** "12:00:00", where the reader is. */
export const clockTime = (at: string) => clockOf(new Date(at))

/** "31 Jan 12:00:00", with the year where it is another than now. */
export function dayAndTime(at: string, now = new Date()): string {
  const { day, time } = lineTime(at)
  const year = new Date(at).getFullYear()
  return [day, ...(year === now.getFullYear() ? [] : [year]), time.replace('.000', '')].join(' ')
}

/** As a field for a date and a time holds it, where the reader is. */
export function fieldTime(then: Date): string {
  const day = [then.getFullYear(), two(then.getMonth() + 1), two(then.getDate())].join('-')
  return `${day}T${clockOf(then)}`
}

const clockOf = (then: Date) => [then.getHours(), then.getMinutes(), then.getSeconds()].map(two).join(':')
