import type { CommitStatus } from '../integrations/status.ts'
import type { Tellable } from './tellable.ts'

type Said = Pick<CommitStatus, 'state' | 'description'>

/** What GitHub shows beside the commit of a deployment. */
export function statusOf({
  status,
  cancel_requested_at,
}: Pick<Tellable, 'status' | 'cancel_requested_at'>): Said {
  if (status === 'completed') return { state: 'success', description: 'Deployed. It takes the traffic.' }
  // Errors can quote output that holds secrets, and everybody who sees the repository reads this.
  if (status === 'failed')
    return { state: 'failure', description: 'The deployment failed. Its log in Slipway says why.' }
  if (cancel_requested_at) return { state: 'error', description: 'The deployment was cancelled.' }
  if (status === 'cancelled')
    return { state: 'error', description: 'Replaced by a newer one before it began.' }
  return { state: 'pending', description: status === 'queued' ? 'Waiting for its turn.' : 'Deploying.' }
}

/** Beside the commit that was pushed, where the branch held a newer one by the time that it was built. */
export const replacedBy = (sha: string): Said => ({
  state: 'error',
  description: `Replaced by ${sha.slice(0, 7)}, which is newer.`,
})
