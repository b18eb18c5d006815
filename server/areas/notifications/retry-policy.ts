const MINUTE = 60_000

/** Milliseconds for one attempt. */
export const sendTimeout = 10_000
/** After this time the message fails and the channel is paused. */
export const maxRetryTime = 24 * 60 * MINUTE
/** A receiver that refuses everything may be under maintenance, so pause it only after this time. */
export const pauseAfterRefusals = 15 * MINUTE
/** After this many refusals in a row, the content is not the cause. */
export const maxRefusals = 3
/** An attempt that is later than this was delayed by downtime or a clock change. */
export const lateAfter = MINUTE
/** Upper limit of a delay that a receiver requests. */
export const maxRetryAfter = 60 * MINUTE
/** Lower limit of a delay, whatever the receiver requests. */
export const minRetryAfter = 1_000
/** Time for a running attempt to finish on shutdown. The worker waits slightly longer. */
export const shutdownGrace = 4_000
/** The job sleeps through shorter delays and is rescheduled for longer ones. */
export const inlineDelay = 2_000

const firstDelay = 2
const growth = 1.6
const maxDelay = 15 * MINUTE

/**
 * Milliseconds until the next attempt. Grows from almost nothing, so that brief failures hardly delay messages, with
 * up to half of it as jitter.
 */
export const backoffAfter = (failures: number, chance: number): number =>
  Math.min(firstDelay * growth ** Math.min(failures - 1, 100), maxDelay) * (0.5 + chance / 2)
