import type { Tone } from '../../ui/badge.tsx'
import type { Change, Deployment } from './queries.ts'

export function deploymentTone(status: string): Tone {
  if (status === 'completed') return 'green'
  return status === 'failed' ? 'red' : 'yellow'
}

/** Being cancelled takes a while, as what was begun is undone. */
export const statusWord = ({ status, cancelling }: Pick<Deployment, 'status' | 'cancelling'>) =>
  cancelling ? 'Cancelling…' : status.charAt(0).toUpperCase() + status.slice(1)

export const deploymentType = (type: string) => (type === 'build_application' ? 'Build' : 'Deploy')

export const isUnderWay = ({ status }: { status: string }) => status === 'queued' || status === 'running'

/** What becomes of one that is asked for while another waits or goes on. */
export const afterOthers = ({ status }: { status: string }) =>
  status === 'queued'
    ? 'A deployment waits to begin. This one takes its place.'
    : 'A deployment is under way. This one waits until that has ended.'

/** It brought what runs, and that died soon after. */
export const hasDied = ({ status, errors }: Pick<Deployment, 'status' | 'errors'>) =>
  status === 'completed' && errors.length > 0

type Step = Deployment['steps'][number]

const steps: Record<Step['name'], string> = {
  check: 'Check',
  fetch: 'Fetch the image',
  build: 'Build',
  start: 'Start',
  wait: 'Wait until it answers',
  switch: 'Switch',
  drain: 'Drain the old',
  prune: 'Clean up',
}

/** Where nothing takes its place. */
const whenStopped: Partial<typeof steps> = { switch: 'Take off the traffic', drain: 'Stop' }

/** Of several services. */
const ofServices: Partial<typeof steps> = { fetch: 'Fetch the images', wait: 'Wait until all are well' }

/** Of what is built from a repository. */
const ofCommit: Partial<typeof steps> = { fetch: 'Fetch the source' }

interface Of extends Pick<Deployment, 'type'> {
  data: Pick<Deployment['data'], 'tag'>
}

/** Of such a deployment. One of several services has no single image. */
export function stepLabel(name: Step['name'], { type, data: { tag } }: Of): string {
  return ownSteps(type, tag)[name] ?? steps[name]
}

function ownSteps(type: string, tag: string | null): Partial<typeof steps> {
  if (type === 'stop_application') return whenStopped
  if (type === 'build_application') return ofCommit
  return tag === null ? ofServices : {}
}

const stepStates: Record<Step['status'], string> = {
  waiting: 'to come',
  running: 'under way',
  completed: 'done',
  failed: 'failed',
  undone: 'undone',
  skipped: 'not needed',
}

export const stepState = (status: Step['status']) => stepStates[status]

/** Where it stands, in one line. */
export function stepsSummary(deployment: Of & Pick<Deployment, 'status' | 'steps'>): string {
  const { status, steps: all } = deployment
  const at = all.findIndex((one) => ['running', 'failed', 'undone'].includes(one.status))
  const found = all[at]
  if (status === 'completed') return `All ${all.length} steps are done`
  if (!found) return `${all.length} steps, none of them ${isUnderWay({ status }) ? 'begun yet' : 'done'}`
  const which = `Step ${at + 1} of ${all.length}`
  const label = stepLabel(found.name, deployment)
  return found.status === 'running' ? `${which}: ${label}` : `${which} ${stepState(found.status)}: ${label}`
}

interface Silent extends Pick<Deployment, 'status' | 'started_at'> {
  data: Pick<Deployment['data'], 'deleted'>
}

/** What stands in its log where there is no line. */
export function silentWords({ status, started_at, data }: Silent): string {
  if (data.deleted) return 'Its log was deleted after 30 days.'
  if (status === 'queued') return 'It has not begun yet.'
  if (status === 'cancelled' && started_at === null) return 'It was cancelled before it began.'
  return status === 'running' ? 'Waiting for its first words…' : 'It said nothing.'
}

const kinds: Record<Change['kind'], [tone: Tone, word: string]> = {
  added: ['green', 'Added'],
  removed: ['red', 'Removed'],
  changed: ['yellow', 'Changed'],
}

export const changeWord = (kind: Change['kind']) => kinds[kind]

const fields: Record<string, string> = {
  image: 'Image',
  command: 'Command',
  port: 'Port',
  health: 'Health check',
  memory_limit: 'Memory limit',
  cpu_limit: 'CPU limit',
  replicas: 'Replicas',
  restart: 'Restart policy',
  stop_seconds: 'Time to stop',
  drain_seconds: 'Time to drain',
  network: 'Network',
  project_network: 'Project network',
  env: 'Variable',
  labels: 'Label',
  volumes: 'Volume at',
  services: 'Service',
  networks: 'Network',
  secrets: 'Secret',
  configs: 'Config',
  profiles: 'Profiles',
}

/** "Memory limit", "Variable DATABASE_URL": the kind and, where there are several of it, which one. */
export function changedField(field: string): { label: string; name: string } {
  const dot = field.indexOf('.')
  const [kind, name] = dot === -1 ? [field, ''] : [field.slice(0, dot), field.slice(dot + 1)]
  // Of a compose file it is the volume itself, of an image where it is mounted.
  if (kind === 'volumes' && !name.startsWith('/')) return { label: 'Volume', name }
  return { label: fields[kind] ?? kind, name }
}
