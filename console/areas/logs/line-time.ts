const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const two = (value: number) => String(value).padStart(2, '0')

/** For example "31 Jan" and "12:00:00.123" in local time. */
export function lineTime(at: string): { day: string; time: string } {
  const then = new Date(at)
  return {
    day: `${two(then.getDate())} ${months[then.getMonth()]}`,
    time: `${clockOf(then)}.${String(then.getMilliseconds()).padStart(3, '0')}`,
  }
}

/** For example "12:00:00" in local time. */
export const clockTime = (at: string) => clockOf(new Date(at))

/** For example "31 Jan 12:00:00", with the year if it is another. */
export function dayAndTime(at: string, now = new Date()): string {
  const { day, time } = lineTime(at)
  const year = new Date(at).getFullYear()
  return [day, ...(year === now.getFullYear() ? [] : [year]), time.replace('.000', '')].join(' ')
}

/** Value of a datetime-local input. */
export function fieldTime(then: Date): string {
  const day = [then.getFullYear(), two(then.getMonth() + 1), two(then.getDate())].join('-')
  return `${day}T${clockOf(then)}`
}

const clockOf = (then: Date) => [then.getHours(), then.getMinutes(), then.getSeconds()].map(two).join(':')
