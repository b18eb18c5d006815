import type { applicationStates } from '../../../contract/applications.ts'
import { formatCount, formatList } from '../../../contract/shared/format-list.ts'
import { type ApplicationFacts, type InstanceFacts, listApplicationFacts } from './application-facts.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'
import type { ApplicationRow } from './application.ts'

export interface ApplicationState {
  state: (typeof applicationStates)[number]
  reason: string | null
  containers: { restarts: number; running: number; routed: number; wanted: number }
}

/** Computes the observed state. Containers that are expected to exit do not count once they exited with code 0. */
export function computeApplicationState(
  { wanted }: Pick<ApplicationRow, 'wanted'>,
  facts: ApplicationFacts,
): ApplicationState {
  const serving = facts.instances.filter(({ state }) => state === 'serving')
  const completed = facts.live ? serving.filter(hasCompleted).length : 0
  const well = facts.live ? serving.filter(isHealthy) : []
  const running = well.length
  const routed = well.filter(({ service }) => facts.routed.includes(service)).length
  const many = wanted === 'stopped' ? 0 : Math.max(facts.replicas ?? 0, serving.length) - completed
  const restarts = facts.live
    ? Math.max(0, ...serving.filter(isCrashing).map((instance) => instance.restarts ?? 0))
    : 0
  const containers = { restarts, running, routed, wanted: facts.was_live ? many : 0 }
  if (!facts.was_live) return { state: 'never_deployed', reason: null, containers }
  if (!facts.live) return { state: 'unknown', reason: whyUnknown(facts), containers }
  if (wanted === 'stopped') return { ...computeStoppedState(facts.instances), containers }
  if (running >= many && running > 0)
    return { state: 'running', reason: isBeingStopped(facts) ? beingStopped : facts.crashed, containers }
  if (many === 0) return { ...withoutAny(completed), containers }
  const held = facts.instances.find(({ state }) => state === 'held')
  if (held) return { state: 'degraded', reason: whyHeld(held), containers }
  // With several services the crashed one may be healthy again while another is not.
  const several = serving.some(({ service }) => service !== '')
  const reason = (several ? null : facts.crashed) ?? explainUnhealthy(serving, many + completed)
  if (running > 0) return { state: 'degraded', reason, containers }
  return { state: restarts > 0 ? 'crashing' : 'failed', reason, containers }
}

const withoutAny = (completed: number): Pick<ApplicationState, 'state' | 'reason'> =>
  completed > 0
    ? { state: 'running', reason: 'All services completed.' }
    : { state: 'stopped', reason: 'Scaled to 0 containers.' }

const whyHeld = ({ service }: InstanceFacts) =>
  `${service === '' ? 'The application' : service} is stopped while its new version starts.`

export const hasCompleted = ({ completes, container, exit_code: code }: InstanceFacts) =>
  completes && container === 'exited' && code === 0

const isHealthy = (instance: InstanceFacts) =>
  instance.container === 'running' &&
  (instance.health === null || instance.health === 'healthy') &&
  !isCrashing(instance)

/** A container that Docker restarted counts as crashing until it has run for two minutes, so that the state is steady. */
const isCrashing = ({ container, restarts, recent, completes }: InstanceFacts) =>
  !completes &&
  restarts !== null &&
  restarts > 0 &&
  (container === 'restarting' || (container === 'running' && recent === true))

function whyUnknown({
  server_name: name,
  server_status: status,
  server_reason: reason,
}: ApplicationFacts): string {
  if (status === 'ready')
    return `Status unknown: Slipway is connecting to ${name}, or Docker is not responding.`
  return reason ?? `Server ${name} is unreachable.`
}

const beingStopped = 'Stopping.'
const isBeingStopped = ({ deployment }: ApplicationFacts) =>
  deployment?.type === 'stop_application' && deployment.status === 'running'

/**
 * The application counts as running until its last live or draining container has stopped. Starting containers do not
 * count, because they never received traffic.
 */
function computeStoppedState(
  instances: readonly InstanceFacts[],
): Pick<ApplicationState, 'state' | 'reason'> {
  const up = instances.filter(({ container }) => container === 'running' || container === 'paused')
  if (up.some(({ state }) => state === 'serving' || state === 'draining'))
    return { state: 'running', reason: beingStopped }
  const again = up.find(({ state }) => state === 'stopped')
  if (again)
    return {
      state: 'degraded',
      reason: `The application was stopped, but ${again.name ?? 'one of its containers'} is running.`,
    }
  return { state: 'stopped', reason: null }
}

function explainUnhealthy(serving: readonly InstanceFacts[], expected: number): string {
  const unhealthyInstances = serving.filter((instance) => !isHealthy(instance) && !hasCompleted(instance))
  const [first] = unhealthyInstances
  if (!first)
    return serving.length === 0
      ? 'No container receives traffic. Redeploy or restart the application.'
      : `Only ${serving.length} of ${expected} containers ${serving.length === 1 ? 'exists' : 'exist'}.`
  const alone = serving.filter(({ service }) => service === first.service).length === 1
  return `${describeInstance(first, alone)} ${describeContainer(first)}${otherUnhealthy(first, unhealthyInstances)}`
}

/** Users know a service with one container by the name of the service. */
function describeInstance({ service, name, container }: InstanceFacts, alone: boolean): string {
  if (container === null) return `A container${service === '' ? '' : ` of ${service}`}`
  if (service === '') return `Container ${name}`
  return alone ? service : `A container of ${service}`
}

function describeContainer(instance: InstanceFacts): string {
  const { container, health, exit_code: code } = instance
  if (isCrashing(instance)) return `crashed and was restarted ${formatCount(instance.restarts ?? 0, 'time')}.`
  if (container === null) return 'was removed from the server.'
  if (container === 'running')
    return health === 'starting'
      ? 'is starting: its health check has not passed yet.'
      : 'is unhealthy: its health check fails.'
  if (container === 'exited') return `exited with code ${code ?? 0}.`
  if (container === 'restarting')
    return `keeps exiting${code === null ? '' : ` with code ${code}`}, and Docker restarts it each time.`
  return `is ${container}.`
}

function otherUnhealthy({ service }: InstanceFacts, unhealthyInstances: readonly InstanceFacts[]): string {
  const same = unhealthyInstances.filter((instance) => instance.service === service).length - 1
  const others = [
    ...new Set(
      unhealthyInstances.flatMap((instance) => (instance.service === service ? [] : [instance.service])),
    ),
  ]
  return [
    ...(same > 0 ? [` ${same} more ${same === 1 ? 'container is' : 'containers are'} affected.`] : []),
    ...(others.length > 0
      ? [` ${formatList(others)} ${others.length === 1 ? 'is' : 'are'} unhealthy as well.`]
      : []),
  ].join('')
}

interface Stated extends Pick<ApplicationState, 'state' | 'reason'> {
  id: Id<'application'>
  name: string
}

export async function listApplicationStates(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Stated[]> {
  if (ids.length === 0) return []
  const rows = await db
    .selectFrom('applications')
    .select(['id', 'name', 'wanted'])
    .where('workspace_id', '=', workspaceId)
    .where('id', 'in', [...ids])
    .where('deleting_at', 'is', null)
    .execute()
  const allFacts = await listApplicationFacts(db, workspaceId, ids)
  const factsById = new Map(allFacts.map((facts) => [facts.id, facts]))
  return rows.flatMap((row) => {
    const facts = factsById.get(row.id)
    if (!facts) return []
    const { state, reason } = computeApplicationState(row, facts)
    return [{ id: row.id, name: row.name, state, reason }]
  })
}
