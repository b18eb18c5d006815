import type { Id } from '../../../contract/shared/ids.ts'
import type { Outsider } from '../../events.ts'
import type { Wanted } from '../deployments/request-deployment.ts'

/** What is to become of a delivery, for one application or for none. */
export interface Verdict {
  application: { id: Id<'application'>; name: string } | null
  status: 'deployed' | 'ignored' | 'failed'
  says: string
  /**
   * What is asked for where it deploys, by whom, and what to call it when something newer is told to take its place. Of a tag
   * also when its commit was made, for tags come in any order.
   */
  asks?: { doer: Outsider; wanted: Wanted; what: string; at?: Date | undefined }
}

export const ignored = (says: string, application: Verdict['application'] = null): Verdict => ({
  application,
  status: 'ignored',
  says,
})

export const failed = (says: string, application: Verdict['application'] = null): Verdict => ({
  application,
  status: 'failed',
  says,
})

export interface Judged {
  id: Id<'delivery'>
  verdicts: Verdict[]
}

type Asks = NonNullable<Verdict['asks']>

/** Several came before anybody looked: of those that deploy an application, only the newest does. */
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
      : ignored(`Left out for ${by.what}, which came before this one was begun.`, application)
  }
  return all.map(({ id, verdicts }) => ({ id, verdicts: verdicts.map(newestOnly) }))
}

/** What came later is newer, except that a tag is as old as its commit. */
const isOlder = ({ at }: Asks, than: Asks) => at !== undefined && than.at !== undefined && at < than.at
