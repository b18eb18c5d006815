export const expiryOptions = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'custom', label: 'Custom date…' },
  { value: 'never', label: 'Never' },
] as const

/**
 * Returns the expiry of a new token, or null for a token that never expires. A custom date is valid until its end in
 * local time.
 */
export function expiresAt(choice: string, date: string, now: Date): string | null {
  if (choice === 'never') return null
  if (choice === 'custom') return new Date(`${date}T23:59:59.999`).toISOString()
  return new Date(now.getTime() + Number(choice) * 86_400_000).toISOString()
}

export const isPast = (time: string) => new Date(time) < new Date()

export function formatDateInput(time = new Date()): string {
  const two = (value: number) => String(value).padStart(2, '0')
  return `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
}
