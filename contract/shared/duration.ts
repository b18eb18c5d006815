/** Formats a duration: `0.4 s`, `12 s`, `3 min 5 s`, `1 h 2 min`. */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  if (whole < 3_600) return joined([Math.floor(whole / 60), 'min'], [whole % 60, 's'])
  const minutes = Math.round(whole / 60)
  return joined([Math.floor(minutes / 60), 'h'], [minutes % 60, 'min'])
}

const joined = (...parts: [number, string][]) =>
  parts
    .filter(([count]) => count > 0)
    .map(([count, unit]) => `${count} ${unit}`)
    .join(' ')

export const formatElapsed = (from: string, to: string): string =>
  formatDuration(Date.parse(to) - Date.parse(from))

/** Formats a response time, which needs milliseconds: `250 ms`, `1.5 s`. */
export const formatMilliseconds = (milliseconds: number): string =>
  milliseconds < 1_000 ? `${milliseconds} ms` : `${Number((milliseconds / 1_000).toFixed(1))} s`
