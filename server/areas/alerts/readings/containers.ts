import type { Id } from '../../../../contract/shared/ids.ts'
import { groupBy } from '../../../platform/group-by.ts'
import type { Db } from '../../../tables.ts'
import { isConditionMet } from '../evaluate.ts'
import type { Rules } from '../engine-state.ts'
import {
  type ContainerSampleRow,
  type ContainerSelection,
  type ContainerStateRow,
  createContainerSamplesReader,
  listContainerStates,
} from './container-rows.ts'
import { countTroubles } from './restart-and-oom-counts.ts'
import type { AlertRow, ObservedSubject, Reading } from '../observer.ts'

const kinds = [
  'container_cpu',
  'container_memory',
  'container_stopped',
  'container_unhealthy',
  'container_restarting',
  'container_oom',
] as const

/**
 * Seconds by which reads overlap: a change becomes visible only after its transaction commits, and exits need time to
 * settle.
 */
const OVERLAP = 10

interface ContainersQuery {
  now: Date
  at: number
  refreshed: ContainerSelection['workspaces'] | 'all'
  live: readonly Id<'server'>[]
  open: ContainerSelection['containers']
}

/** Returns only containers that may have changed. A missing container with an open incident was deleted. */
export function createContainersReader(db: Db, rules: Rules) {
  const readSamples = createContainerSamplesReader(db)
  let last: number | undefined
  let livePreviously: ReadonlySet<Id<'server'>> = new Set()

  return async ({ now, at, refreshed, live, open }: ContainersQuery): Promise<ObservedSubject[]> => {
    const alerts = rules.ofKinds(kinds)
    if (alerts.length === 0 && open.length === 0) {
      last = undefined
      return []
    }
    const measured = groupBy(alerts.filter(isMeasured), ({ workspace_id }) => workspace_id)
    const samples = await readSamples({ now, at }, [...measured.keys()])
    const troubles = await countTroubles(db, alerts)
    const rows = await listContainerStates(db, {
      within: refreshed === 'all' || last === undefined ? 'all' : (at - last) / 1_000 + OVERLAP,
      workspaces: refreshed === 'all' ? [] : refreshed,
      servers: live.filter((id) => !livePreviously.has(id)),
      // Most containers are and were healthy, so their rows are not needed.
      containers: [
        ...open,
        ...troubles.containers,
        ...samples.filter((sample) => exceedsThreshold(measured, sample)),
      ],
    })
    last = at
    livePreviously = new Set(live)
    const latest = new Map(samples.map((sample) => [`${sample.server_id} ${sample.container_id}`, sample]))
    return rows.map((row) => {
      const sample = latest.get(`${row.server_id} ${row.id}`)
      return toObservedContainer(row, (alert) => {
        if (isMeasured(alert)) {
          const value = sample && usagePercent(alert, sample)
          return value === undefined ? undefined : { value }
        }
        if (alert.kind === 'container_stopped') return readStopped(alert, row)
        if (alert.kind === 'container_unhealthy') return { value: row.unhealthy }
        return { value: troubles.count(alert, row.server_id, row.id), exit_code: row.exit_code }
      })
    })
  }
}

const toObservedContainer = (row: ContainerStateRow, read: ObservedSubject['read']): ObservedSubject => ({
  subject: {
    kind: 'container',
    id: row.id,
    name: row.name,
    workspace_id: row.workspace_id,
    server_id: row.server_id,
    server_name: row.server_name,
    application_id: row.application_id,
    projects: row.project_id === null ? [] : [row.project_id],
    container: row.name,
  },
  // Without a worker that watches the server, the state of the container is unknown.
  read: (alert) => (row.live ? read(alert) : undefined),
  skipReason: (alert) =>
    isMeasured(alert) && row.live && row.down ? `The container ${row.name} is no longer running.` : undefined,
})

function exceedsThreshold(
  alerts: ReadonlyMap<Id<'workspace'>, AlertRow[]>,
  sample: ContainerSampleRow,
): boolean {
  return (alerts.get(sample.workspace_id) ?? []).some((alert) => {
    const value = usagePercent(alert, sample)
    return value !== undefined && isConditionMet(alert, value)
  })
}

function usagePercent({ kind }: AlertRow, { cpu, memory_used, memory_limit }: ContainerSampleRow) {
  if (kind === 'container_cpu') return cpu * 100
  return memory_limit > 0 ? (memory_used / memory_limit) * 100 : undefined
}

/** Usage has no meaning for a container that is not running. */
const isMeasured = ({ kind }: AlertRow) => kind === 'container_cpu' || kind === 'container_memory'

/** An exit from before the alert was created is not reported. */
function readStopped(
  alert: AlertRow,
  { stopped, observed_at, exit_code }: ContainerStateRow,
): Reading | undefined {
  if (stopped === null) return undefined
  return { value: stopped && observed_at >= alert.created_at, exit_code }
}
