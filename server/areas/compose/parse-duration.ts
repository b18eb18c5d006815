const units: Record<string, number> = {
  ns: 1e-9,
  us: 1e-6,
  µs: 1e-6,
  ms: 1e-3,
  s: 1,
  m: 60,
  h: 3600,
  d: 86_400,
}

const part = /(\d+(?:\.\d+)?|\.\d+)(ns|us|µs|ms|s|m|h|d)/g

/** Returns seconds of a duration such as 1m30s, or undefined if invalid. */
export function parseDuration(duration: string): number | undefined {
  const parts = [...duration.matchAll(part)]
  if (parts.length === 0 || parts.map(([all]) => all).join('') !== duration)
    return duration === '0' ? 0 : undefined
  return parts.reduce((sum, [, value = '', unit = '']) => sum + Number(value) * (units[unit] ?? 0), 0)
}
