import type { applicationStates } from '../../../contract/applications.ts'
import type { Facts, KnownInstance } from './facts-store.ts'
import type { ApplicationRow } from './store.ts'

export interface State {
  state: (typeof applicationStates)[number]
  reason: string | null
  containers: { running: number; wanted: number }
}

/** What is observed of an application, and not what was asked for. What has ended as it was to is not waited for. */
export function stateOf({ wanted }: Pick<ApplicationRow, 'wanted'>, facts: Facts): State {
  const serving = facts.instances.filter(({ state }) => state === 'serving')
  const completed = facts.live ? serving.filter(hasCompleted).length : 0
  const running = facts.live ? serving.filter(isWell).length : 0
  const many = wanted === 'stopped' ? 0 : Math.max(facts.replicas ?? 0, serving.length) - completed
  const containers = { running, wanted: facts.was_live ? many : 0 }
  if (!facts.was_live) return { state: 'never_deployed', reason: null, containers }
  if (!facts.live) return { state: 'unknown', reason: whyUnknown(facts), containers }
  if (wanted === 'stopped') return { ...stoppedOf(facts.instances), containers }
  if (running >= many && running > 0)
    return { state: 'running', reason: isBeingStopped(facts) ? beingStopped : facts.died, containers }
  if (many === 0) return { ...withoutAny(completed), containers }
  const held = facts.instances.find(({ state }) => state === 'held')
  if (held) return { state: 'degraded', reason: whyHeld(held), containers }
  const reason = facts.died ?? whyNotWell(serving, many + completed)
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
  const more = unwell.length - 1
  return `${inWords(first)}${more > 0 ? ` So it is with ${more} more.` : ''}`
}

function inWords({ service, name: given, container, health, exit_code: code }: KnownInstance): string {
  if (container === null) return `A container of ${service === '' ? 'it' : service} is gone from the server.`
  const name = service === '' ? given : `${given} of ${service}`
  if (container === 'running')
    return health === 'starting'
      ? `The container ${name} is being checked by its own health check.`
      : `The container ${name} is unhealthy, says its own health check.`
  if (container === 'exited') return `The container ${name} has stopped with code ${code ?? 0}.`
  if (container === 'restarting')
    return `The container ${name} keeps stopping${code === null ? '' : ` with code ${code}`}, and is started again each time.`
  return `The container ${name} is ${container}.`
}
