import type { Tone } from '../../ui/badge.tsx'
import type { Change, Deployment } from './queries.ts'

export function deploymentTone(status: string) {
  if (status === 'completed') return 'green'
  return status === 'failed' ? 'red' : 'yellow'
}

export const deploymentType = (type: string) => (type === 'build_application' ? 'Build' : 'Deploy')

export const isUnderWay = ({ status }: { status: string }) => status === 'queued' || status === 'running'

/** It brought what runs, and that died soon after. */
export const hasDied = ({ status, errors }: Pick<Deployment, 'status' | 'errors'>) =>
  status === 'completed' && errors.length > 0

type Step = Deployment['steps'][number]

const steps: Record<Step['name'], string> = {
  check: 'Check',
  fetch: 'Fetch the image',
  start: 'Start',
  wait: 'Wait until it answers',
  switch: 'Switch',
  drain: 'Drain the old',
  prune: 'Clean up',
}

/** Where nothing takes its place. */
const whenStopped: Partial<typeof steps> = { switch: 'Take off the traffic', drain: 'Stop' }

/** Of a deployment of this type. */
export const stepLabel = (name: Step['name'], type: string) =>
  (type === 'stop_application' ? whenStopped[name] : undefined) ?? steps[name]

const stepStates: Record<Step['status'], string> = {
  waiting: 'to come',
  running: 'under way',
  completed: 'done',
  failed: 'failed',
  undone: 'undone',
  skipped: 'not needed',
}

export const stepState = (status: Step['status']) => stepStates[status]

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
  env: 'Variable',
  labels: 'Label',
  volumes: 'Volume at',
}

/** "Memory limit", "Variable DATABASE_URL": the kind and, where there are several of it, which one. */
export function changedField(field: string): { label: string; name: string } {
  const dot = field.indexOf('.')
  const [kind, name] = dot === -1 ? [field, ''] : [field.slice(0, dot), field.slice(dot + 1)]
  return { label: fields[kind] ?? kind, name }
}
