import type { applicationStates } from '../../../contract/applications.ts'
import { inAList } from '../../platform/text/in-a-list.ts'
import type { Facts, KnownInstance } from './facts-store.ts'
import type { ApplicationRow } from './store.ts'

export interface State {
  state: (typeof applicationStates)[number]
  reason: string | null
  containers: { running: number; routed: number; wanted: number }
}

/** What is observed of an application, and not what was asked for. What has ended as it was to is not waited for. */
export function stateOf({ wanted }: Pick<ApplicationRow, 'wanted'>, facts: Facts): State {
  const serving = facts.instances.filter(({ state }) => state === 'serving')
  const completed = facts.live ? serving.filter(hasCompleted).length : 0
  const well = facts.live ? serving.filter(isWell) : []
  const running = well.length
  const routed = well.filter(({ service }) => facts.routed.includes(service)).length
  const many = wanted === 'stopped' ? 0 : Math.max(facts.replicas ?? 0, serving.length) - completed
  const containers = { running, routed, wanted: facts.was_live ? many : 0 }
  if (!facts.was_live) return { state: 'never_deployed', reason: null, containers }
  if (!facts.live) return { state: 'unknown', reason: whyUnknown(facts), containers }
  if (wanted === 'stopped') return { ...stoppedOf(facts.instances), containers }
  if (running >= many && running > 0)
    return { state: 'running', reason: isBeingStopped(facts) ? beingStopped : facts.died, containers }
  if (many === 0) return { ...withoutAny(completed), containers }
  const held = facts.instances.find(({ state }) => state === 'held')
  if (held) return { state: 'degraded', reason: whyHeld(held), containers }
  // Of several services the one that died may be well again, and another one not.
  const several = serving.some(({ service }) => service !== '')
  const reason = (several ? null : facts.died) ?? whyNotWell(serving, many + completed)
  return { state: running > 0 ? 'degraded' : 'failed', reason, containers }
}

/** Such as of a file whose services only prepare something. */
const withoutAny = (completed: number): Pick<State, 'state' | 'reason'> =>
  completed > 0
    ? { state: 'running', reason: 'All of it has done what it was for, and ended.' }
    : { state: 'stopped', reason: 'It is to have no containers.' }

const whyHeld = ({ service }: KnownInstance) =>
  `${service === '' ? 'It' : service} is stopped while its new version starts.`

export const hasCompleted = ({ completes, container, exit_code: code }: KnownInstance) =>
  completes && container === 'exited' && code === 0

/** Where the image has a check of its own, that counts too. */
const isWell = ({ container, health }: KnownInstance) =>
  container === 'running' && (health === null || health === 'healthy')

function whyUnknown({ server_name: name, server_status: status, server_reason: reason }: Facts): string {
  if (status === 'ready')
    return `What runs on ${name} is not known at the moment: Slipway is connecting to it, or Docker there does not answer.`
  return reason ?? `The server ${name} is not reached at the moment.`
}

const beingStopped = 'It is being stopped.'
const isBeingStopped = ({ deployment }: Facts) =>
  deployment?.type === 'stop_application' && deployment.status === 'running'

/** Until the last one has ended, visitors may still be answered. What only starts was never there for them. */
function stoppedOf(instances: readonly KnownInstance[]): Pick<State, 'state' | 'reason'> {
  const up = instances.filter(({ container }) => container === 'running' || container === 'paused')
  if (up.some(({ state }) => state === 'serving' || state === 'draining'))
    return { state: 'running', reason: beingStopped }
  const again = up.find(({ state }) => state === 'stopped')
  if (again)
    return { state: 'degraded', reason: `It was stopped, but ${again.name ?? 'a container of it'} runs.` }
  return { state: 'stopped', reason: null }
}

function whyNotWell(serving: readonly KnownInstance[], wanted: number): string {
  const unwell = serving.filter((instance) => !isWell(instance) && !hasCompleted(instance))
  const [first] = unwell
  if (!first)
    return serving.length === 0
      ? 'None of its containers takes traffic. Deploy it again, or restart it.'
      : `Only ${serving.length} of ${wanted} containers are there.`
  const alone = serving.filter(({ service }) => service === first.service).length === 1
  return `${subjectOf(first, alone)} ${inWords(first)}${alsoUnwell(first, unwell)}`
}

/** Where a service has one container, the service is what people know it by. */
function subjectOf({ service, name, container }: KnownInstance, alone: boolean): string {
  if (container === null) return `A container of ${service || 'it'}`
  if (service === '') return `The container ${name}`
  return alone ? service : `A container of ${service}`
}

function inWords({ container, health, exit_code: code }: KnownInstance): string {
  if (container === null) return 'is gone from the server.'
  if (container === 'running')
    return health === 'starting'
      ? 'is being checked by its own health check.'
      : 'is unhealthy, says its own health check.'
  if (container === 'exited') return `has stopped with code ${code ?? 0}.`
  if (container === 'restarting')
    return `keeps stopping${code === null ? '' : ` with code ${code}`}, and is started again each time.`
  return `is ${container}.`
}

/** Services by their names; containers of the same one are counted. */
function alsoUnwell({ service }: KnownInstance, unwell: readonly KnownInstance[]): string {
  const same = unwell.filter((one) => one.service === service).length - 1
  const others = [...new Set(unwell.flatMap((one) => (one.service === service ? [] : [one.service])))]
  return [
    ...(same > 0 ? [` So it is with ${same} more.`] : []),
    ...(others.length > 0
      ? [` ${inAList(others)} ${others.length === 1 ? 'is' : 'are'} not well either.`]
      : []),
  ].join('')
}
