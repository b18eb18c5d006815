import { isConnectionLost } from '../../platform/db.ts'
import { type Run, Stopped } from '../../platform/jobs.ts'

/** After so many failures it is the delivery that is the reason, and those behind it have waited long enough. */
const mostAttempts = 4

/** Has nothing to do with what was looked at: the database is away, or somebody else goes on with it. */
export const isOurs = (error: unknown) => isConnectionLost(error) || error instanceof Stopped

/** Whether it is given up, so that nobody waits behind it for ever. */
export const isLastTry = (error: unknown, run: Pick<Run, 'attempt'>) =>
  !isOurs(error) && run.attempt >= mostAttempts

/** What people are told; why it is so stands in the log alone, for it may name what they must not see. */
export const couldNot = (what: string) =>
  `Slipway could not ${what}; its log says why. Deliver it again once that is mended.`
