const MINUTE = 60_000

/** Milliseconds that a receiver may take. */
export const sendTimeout = 10_000
/** A message that does not get through for so long is given up, and a channel that does not is paused. */
export const maxRetryTime = 24 * 60 * MINUTE
/** A receiver that takes nothing from us may only be in the middle of a change; after so long it is taken at its word. */
export const pauseAfterRefusals = 15 * MINUTE
/** So many messages refused one after the other, and it is not for what stands in them. */
export const maxRefusals = 3
/** A try that comes later than this was not waited for all the while. */
export const lateAfter = MINUTE
/** Whoever asks to be left alone is, but not for longer. */
export const maxRetryAfter = 60 * MINUTE
/** Nor is it asked again at once, whatever it says. */
export const minRetryAfter = 1_000
/** When Slipway is told to stop, a try that has begun gets so long to end: a worker waits a little longer than that. */
export const shutdownGrace = 4_000
/** A shorter pause is slept through; for a longer one the job comes again. */
export const inlineDelay = 2_000

const first = 2
const growth = 1.6
const longestPause = 15 * MINUTE

/**
 * Milliseconds until the next try after so many failures in a row: what comes and goes hardly holds anything up, while one
 * that stays away is left alone soon. By chance (0 to 1) up to a half less, so that many do not come at once.
 */
export const backoffAfter = (failures: number, chance: number): number =>
  Math.min(first * growth ** Math.min(failures - 1, 100), longestPause) * (0.5 + chance / 2)
