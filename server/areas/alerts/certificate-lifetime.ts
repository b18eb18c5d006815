import type { AlertRow } from './observer.ts'

const DAY = 86_400_000
const SHORT_LIFETIME = 42 * DAY

export type ExpiryRule = Pick<AlertRow, 'comparison' | 'threshold'>

/** Returns a negative number after expiry. */
export const wholeDaysLeft = (expiresAt: Date, at: number) => Math.floor((expiresAt.getTime() - at) / DAY)

/**
 * Applies to short-lived certificates, whose lifetime may be less than the threshold; returns undefined for others.
 * Renewal begins with a third of the lifetime left, so it is overdue with a quarter left.
 */
export function isRenewalOverdue(
  { comparison, threshold }: ExpiryRule,
  { valid_from, expires_at }: { valid_from: Date | null; expires_at: Date },
  at: number,
): boolean | undefined {
  if (comparison !== 'below' || threshold === null || valid_from === null) return undefined
  const lifetime = expires_at.getTime() - valid_from.getTime()
  if (lifetime >= SHORT_LIFETIME) return undefined
  return wholeDaysLeft(expires_at, at) < threshold && expires_at.getTime() - at < lifetime / 4
}
