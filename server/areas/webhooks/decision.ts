import type { Id } from '../../../contract/shared/ids.ts'
import type { ExternalInitiator } from '../../events.ts'
import type { DeploymentRequest } from '../deployments/request-deployment.ts'

export interface Decision {
  application: { id: Id<'application'>; name: string } | null
  status: 'deployed' | 'ignored' | 'failed'
  summary: string
  /** Tags also need the commit time, because they arrive in any order. */
  request?: {
    initiator: ExternalInitiator
    deployment: DeploymentRequest
    label: string
    at?: Date | undefined
  }
}

export const ignoredDecision = (summary: string, application: Decision['application'] = null): Decision => ({
  application,
  status: 'ignored',
  summary,
})

export const failedDecision = (summary: string, application: Decision['application'] = null): Decision => ({
  application,
  status: 'failed',
  summary,
})

export interface DecidedDelivery {
  id: Id<'delivery'>
  decisions: Decision[]
}

type RequestedDeployment = NonNullable<Decision['request']>

export function coalesceDecisions(all: DecidedDelivery[]): DecidedDelivery[] {
  const newest = new Map<string, RequestedDeployment>()
  for (const { application, request } of all.flatMap(({ decisions }) => decisions)) {
    if (!application || !request) continue
    const found = newest.get(application.id)
    if (!found || !isOlder(request, found)) newest.set(application.id, request)
  }
  const newestOnly = (decision: Decision): Decision => {
    const { application, request } = decision
    const newer = application && newest.get(application.id)
    return !request || !newer || newer === request
      ? decision
      : ignoredDecision(`Skipped: ${newer.label} arrived before this one started.`, application)
  }
  return all.map(({ id, decisions }) => ({ id, decisions: decisions.map(newestOnly) }))
}

const isOlder = ({ at }: RequestedDeployment, than: RequestedDeployment) =>
  at !== undefined && than.at !== undefined && at < than.at
