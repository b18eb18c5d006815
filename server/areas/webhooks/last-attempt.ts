import { isConnectionLost } from '../../platform/db.ts'
import { type JobRun, JobStopped } from '../../platform/jobs.ts'

/** Gives up on a delivery after this many failures, so that it does not block the queue. */
const maxAttempts = 4

/** Returns whether the failure is unrelated to the delivery: the database is down or the lease was lost. */
export const isInfrastructureError = (error: unknown) =>
  isConnectionLost(error) || error instanceof JobStopped

/** Returns whether this was the last attempt. */
export const isLastDeliveryAttempt = (error: unknown, run: Pick<JobRun, 'attempt'>) =>
  !isInfrastructureError(error) && run.attempt >= maxAttempts

/** Text for users; details are only logged, since they may be confidential. */
export const failureSummary = (what: string) =>
  `Slipway failed to ${what}. See the server log for the reason, then redeliver.`
