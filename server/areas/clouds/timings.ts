import type { Config } from '../../config.ts'

type Pace = Pick<Config, 'CLOUD_TIMEOUT'>
type OutsideTimeout = Pick<Config, 'OUTSIDE_TIMEOUT'>

/** Scales polling intervals down for short timeouts (tests). */
export const pollScale = ({ CLOUD_TIMEOUT }: Pace) => Math.min(1, CLOUD_TIMEOUT / 60)

/** Milliseconds for a create request, including a price lookup. */
export const createTimeoutMs = ({ OUTSIDE_TIMEOUT }: OutsideTimeout) => 2_000 * OUTSIDE_TIMEOUT

/**
 * Milliseconds until a created server is visible in the provider's API: up to a minute, bounded by half of
 * CLOUD_TIMEOUT.
 */
export const visibilityDelayMs = ({ CLOUD_TIMEOUT }: Pace) => 1_000 * Math.min(120, CLOUD_TIMEOUT / 2)
