import { groupBy } from '../../platform/group-by.ts'
import type { AlertRow, ObservedSubject } from './observation.ts'
import type { DueCheck } from './http-checks.ts'
import { isWatchedBy } from './observer.ts'

/** Returns the checks that are due, each at the interval of its alert. */
export function createDueChecks() {
  let dueAt = new Map<string, number>()

  return (alerts: readonly AlertRow[], applications: readonly ObservedSubject[], at: number): DueCheck[] => {
    if (alerts.length === 0) return []
    const ofWorkspace = groupBy(applications, ({ subject }) => subject.workspace_id)
    // Checks that are no longer configured are dropped, and run immediately when they return.
    const next = new Map<string, number>()
    const due: DueCheck[] = []
    for (const alert of alerts)
      for (const sighting of ofWorkspace.get(alert.workspace_id) ?? []) {
        const { application_id, workspace_id } = sighting.subject
        if (!application_id || !alert.asked || !isWatchedBy(alert, sighting)) continue
        const key = `${alert.id} ${application_id}`
        const time = dueAt.get(key) ?? at
        if (time <= at) due.push({ workspace_id, alert_id: alert.id, application_id, asked: alert.asked })
        next.set(key, time <= at ? at + alert.asked.every_seconds * 1_000 : time)
      }
    dueAt = next
    return due
  }
}
