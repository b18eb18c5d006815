import { composeLabels, type Container, toContainerState, noMetrics } from './container.ts'
import { readOwnerLabels } from './slipway-labels.ts'
import { type ListedPort, fromListedPorts } from './ports.ts'

/** A container in a list of Docker. */
export interface ListedContainer {
  Id: string
  Names: string[] | null
  Image: string
  ImageID: string
  Created: number
  State: string
  /** For people: `Up 2 hours (healthy)`, `Exited (137) 3 days ago`. */
  Status: string
  Ports: ListedPort[] | null
  Labels: Record<string, string> | null
}

/** As far as a list tells it: not when it was started or has ended, nor how often it was restarted. */
export const fromListedContainer = (listed: ListedContainer): Container => ({
  id: listed.Id,
  name: ownName(listed.Names ?? []),
  image: listed.Image,
  image_id: listed.ImageID,
  state: toContainerState(listed.State),
  health: healthIn(listed.Status),
  exit_code: exitCodeIn(listed.Status),
  restarts: 0,
  ports: fromListedPorts(listed.Ports ?? []),
  ...composeLabels(listed.Labels),
  ...readOwnerLabels(listed.Labels),
  created_at: new Date(listed.Created * 1_000).toISOString(),
  started_at: null,
  finished_at: null,
  ...noMetrics,
})

/** Others, with a second slash, are those under which linked containers know it. */
const ownName = (names: string[]) =>
  (names.find((name) => name.lastIndexOf('/') === 0) ?? names[0] ?? '').replace(/^\//, '')

function healthIn(status: string): Container['health'] {
  if (status.includes('(health: starting)')) return 'starting'
  if (status.includes('(unhealthy)')) return 'unhealthy'
  return status.includes('(healthy)') ? 'healthy' : null
}

function exitCodeIn(status: string): number | null {
  const code = /^(?:Exited|Restarting) \((\d+)\)/.exec(status)?.[1]
  return code === undefined ? null : Number(code)
}
