export const expiryOptions = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'custom', label: 'Until a date…' },
  { value: 'never', label: 'Never' },
] as const

/** When a token made now expires; null is never. A date of one's own counts to its end, where one lives. */
export function expiresAt(choice: string, date: string, now: Date): string | null {
  if (choice === 'never') return null
  if (choice === 'custom') return new Date(`${date}T23:59:59.999`).toISOString()
  return new Date(now.getTime() + Number(choice) * 86_400_000).toISOString()
}

export const isPast = (time: string) => new Date(time) < new Date()

/** For a date field: `2026-01-31`, where one lives. */
export function dayOf(time = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
