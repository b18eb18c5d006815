const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' })
const second = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', second: '2-digit' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' })

/** Formats a time in seconds, such as “06:20”, or “18 Nov, 06:20” on another day. */
export function clockTime(at: number): string {
  const when = new Date(at * 1000)
  return isSameDay(when, new Date()) ? time.format(when) : `${day.format(when)}, ${time.format(when)}`
}

/** Returns a label of the time axis. `step` is the distance between labels in seconds. */
export function axisTime(at: number, step: number): string {
  const when = new Date(at * 1000)
  if (step < 60) return second.format(when)
  const isMidnight = when.getHours() === 0 && when.getMinutes() === 0
  return (isMidnight || step >= 86_400 ? day : time).format(when)
}

/** Formats a span, such as “18 Nov, 06:20 – 07:40” or “18 Nov, 22:00 – 19 Nov, 02:00”. */
export function formatSpan(from: number, to: number): string {
  const [start, end] = [new Date(from * 1000), new Date(to * 1000)]
  const last = isSameDay(start, end) ? '' : `${day.format(end)}, `
  return `${day.format(start)}, ${time.format(start)} – ${last}${time.format(end)}`
}

const isSameDay = (one: Date, other: Date) => one.toDateString() === other.toDateString()
