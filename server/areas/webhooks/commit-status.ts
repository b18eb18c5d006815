import type { CommitStatus } from '../integrations/status.ts'
import type { Tellable } from './tellable.ts'

type Said = Pick<CommitStatus, 'state' | 'description'>

/** What GitHub shows beside the commit of a deployment. */
export function statusOf({
  status,
  errors,
  cancel_requested_at,
}: Pick<Tellable, 'status' | 'errors' | 'cancel_requested_at'>): Said {
  if (status === 'completed') return { state: 'success', description: 'Deployed. It takes the traffic.' }
  if (status === 'failed') return { state: 'failure', description: errors[0] ?? 'It could not be deployed.' }
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
