import type { Id } from '../../../contract/shared/ids.ts'
import type { ExternalInitiator } from '../../events.ts'
import type { DeploymentRequest } from '../deployments/request-deployment.ts'

/** Decision for a delivery, per application. */
export interface Verdict {
  application: { id: Id<'application'>; name: string } | null
  status: 'deployed' | 'ignored' | 'failed'
  summary: string
  /**
   * Deployment request, initiator and label. For tags also the commit time, since tags arrive in any order.
   */
  asks?: { doer: ExternalInitiator; wanted: DeploymentRequest; what: string; at?: Date | undefined }
}

export const ignored = (summary: string, application: Verdict['application'] = null): Verdict => ({
  application,
  status: 'ignored',
  summary,
})

export const failed = (summary: string, application: Verdict['application'] = null): Verdict => ({
  application,
  status: 'failed',
  summary,
})

export interface Judged {
  id: Id<'delivery'>
  verdicts: Verdict[]
}

type Asks = NonNullable<Verdict['asks']>

/** Merges waiting deliveries: only the newest deploys an application. */
export function coalesce(all: Judged[]): Judged[] {
  const newest = new Map<string, Asks>()
  for (const { application, asks } of all.flatMap(({ verdicts }) => verdicts)) {
    if (!application || !asks) continue
    const found = newest.get(application.id)
    if (!found || !isOlder(asks, found)) newest.set(application.id, asks)
  }
  const newestOnly = (one: Verdict): Verdict => {
    const { application, asks } = one
    const by = application && newest.get(application.id)
    return !asks || !by || by === asks
      ? one
      : ignored(`Skipped: ${by.what} arrived before this one started.`, application)
  }
  return all.map(({ id, verdicts }) => ({ id, verdicts: verdicts.map(newestOnly) }))
}

/** Later arrivals are newer; tags are ordered by commit time. */
const isOlder = ({ at }: Asks, than: Asks) => at !== undefined && than.at !== undefined && at < than.at
