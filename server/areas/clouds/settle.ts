import type { Config } from '../../config.ts'

type Pace = Pick<Config, 'CLOUD_TIMEOUT'>
type Patience = Pick<Config, 'OUTSIDE_TIMEOUT'>

/** Whoever grants a cloud less than a minute does not wait for minutes in between. */
export const paceOf = ({ CLOUD_TIMEOUT }: Pace) => Math.min(1, CLOUD_TIMEOUT / 60)

/** Milliseconds that it may take to ask for a server: some prices may be asked for before it. */
export const askMs = ({ OUTSIDE_TIMEOUT }: Patience) => 2_000 * OUTSIDE_TIMEOUT

/**
 * Milliseconds by which a cloud shows a server that it has made, in its lists and by its id, after the end of the question: some
 * take a minute. Whoever grants it less than that does not wait for longer than half of it.
 */
export const settleMs = ({ CLOUD_TIMEOUT }: Pace) => 1_000 * Math.min(120, CLOUD_TIMEOUT / 2)
