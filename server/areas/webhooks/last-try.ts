import { isConnectionLost } from '../../platform/db.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'

/** Gives up on a delivery after this many failures, so that it does not block the queue. */
const mostAttempts = 4

/** Returns whether the failure is unrelated to the delivery: the database is down or the lease was lost. */
export const isOurs = (error: unknown) => isConnectionLost(error) || error instanceof JobStopped

/** Returns whether this was the last attempt. */
export const isLastTry = (error: unknown, run: Pick<JobRun, 'attempt'>) =>
  !isOurs(error) && run.attempt >= mostAttempts

/** Text for users; details are only logged, since they may be confidential. */
export const couldNot = (what: string) =>
  `Slipway failed to ${what}. See the server log for the reason, then redeliver.`
