import type { Tone } from '../../ui/badge.tsx'
import type { Deployment, Release, ReleaseChange } from './queries.ts'

export function deploymentTone(status: string): Tone {
  if (status === 'completed') return 'green'
  return status === 'failed' ? 'red' : 'yellow'
}

export const deploymentStatusLabel = ({ status, cancelling }: Pick<Deployment, 'status' | 'cancelling'>) =>
  cancelling ? 'Canceling…' : status.charAt(0).toUpperCase() + status.slice(1)

export const deploymentType = (type: string) => (type === 'build_application' ? 'Build' : 'Deploy')

export const isDeploymentInProgress = ({ status }: { status: string }) =>
  status === 'queued' || status === 'running'

/** Explains what a rollback does while another deployment is queued or running. */
export const queueNotice = ({ status }: { status: string }) =>
  status === 'queued'
    ? 'The rollback replaces the queued deployment.'
    : 'The rollback starts when the current deployment finishes.'

/** Returns whether containers of the release crashed within minutes of going live. */
export const hasCrashed = ({ status }: Pick<Deployment, 'status'>) => status === 'crashed'

type Step = Deployment['steps'][number]

const steps: Record<Step['name'], string> = {
  setup: 'Set up server',
  check: 'Check',
  fetch: 'Pull image',
  build: 'Build',
  start: 'Start container',
  wait: 'Health check',
  switch: 'Switch traffic',
  drain: 'Drain old containers',
  prune: 'Clean up',
}

const stopLabels: Partial<typeof steps> = { switch: 'Stop traffic', drain: 'Stop containers' }

const composeLabels: Partial<typeof steps> = {
  fetch: 'Pull images',
  start: 'Start containers',
  wait: 'Health checks',
}

const repositoryLabels: Partial<typeof steps> = { fetch: 'Fetch source' }

interface DeploymentKind extends Pick<Deployment, 'type'> {
  data: Pick<Deployment['data'], 'tag'>
}

export function stepLabel(name: Step['name'], { type, data: { tag } }: DeploymentKind): string {
  return labelsFor(type, tag)[name] ?? steps[name]
}

function labelsFor(type: string, tag: string | null): Partial<typeof steps> {
  if (type === 'stop_application') return stopLabels
  if (type === 'build_application') return repositoryLabels
  // A compose deployment has several images, so it has no tag.
  return tag === null ? composeLabels : {}
}

const stepStates: Record<Step['status'], string> = {
  waiting: 'pending',
  running: 'in progress',
  completed: 'done',
  failed: 'failed',
  undone: 'reverted',
  skipped: 'skipped',
}

export const stepState = (status: Step['status']) => stepStates[status]

export function stepsSummary(deployment: DeploymentKind & Pick<Deployment, 'status' | 'steps'>): string {
  const { status, steps: all } = deployment
  const at = all.findIndex((step) => ['running', 'failed', 'undone'].includes(step.status))
  const found = all[at]
  if (status === 'completed' || status === 'crashed') return `All ${all.length} steps done`
  if (!found)
    return `${all.length} steps, ${isDeploymentInProgress({ status }) ? 'not started' : 'none done'}`
  const which = `Step ${at + 1} of ${all.length}`
  const label = stepLabel(found.name, deployment)
  return found.status === 'running' ? `${which}: ${label}` : `${which} ${stepState(found.status)}: ${label}`
}

interface EmptyLog extends Pick<Deployment, 'status' | 'started_at'> {
  data: Pick<Deployment['data'], 'deleted'>
}

export function emptyLogText({ status, started_at, data }: EmptyLog): string {
  if (data.deleted) return 'Logs are kept for 30 days.'
  if (status === 'queued') return 'Queued'
  if (status === 'cancelled' && started_at === null) return 'Canceled before it started.'
  return status === 'running' ? 'Waiting for output…' : 'No output.'
}

const kinds: Record<ReleaseChange['kind'], [tone: Tone, word: string]> = {
  added: ['green', 'Added'],
  removed: ['red', 'Removed'],
  changed: ['yellow', 'Changed'],
}

export const changeLabel = (kind: ReleaseChange['kind']) => kinds[kind]

const fields: Record<string, string> = {
  image: 'Image',
  command: 'Command',
  port: 'Port',
  health: 'Health check',
  memory_limit: 'Memory limit',
  cpu_limit: 'CPU limit',
  replicas: 'Replicas',
  restart: 'Restart policy',
  stop_grace_seconds: 'Stop grace period',
  drain_seconds: 'Drain timeout',
  network: 'Network',
  project_network: 'Project network',
  stop_first: 'Stop old containers first',
  commit: 'Commit',
  repository: 'Repository',
  branch: 'Branch',
  folder: 'Folder',
  builder: 'Builder',
  dockerfile: 'Dockerfile',
  generated: 'Edited Dockerfile',
  target: 'Build stage',
  build_args: 'Build argument',
  build_secrets: 'Build secrets',
  submodules: 'Submodules',
  lfs: 'Git LFS files',
  build_memory: 'Build memory limit',
  build_cpus: 'Build CPU limit',
  build_minutes: 'Build timeout (minutes)',
  env: 'Variable',
  labels: 'Label',
  volumes: 'Volume at',
  services: 'Service',
  networks: 'Network',
  secrets: 'Secret',
  configs: 'Config',
  profiles: 'Profiles',
}

/** Splits `env.DATABASE_URL` into the label "Variable" and the name "DATABASE_URL". */
export function changedField(field: string): { label: string; name: string } {
  const dot = field.indexOf('.')
  const [kind, name] = dot === -1 ? [field, ''] : [field.slice(0, dot), field.slice(dot + 1)]
  // Changes of a compose file name the volume. Other changes name the mount path, which starts with a slash.
  if (kind === 'volumes' && !name.startsWith('/')) return { label: 'Volume', name }
  return { label: fields[kind] ?? kind, name }
}

/** A release that was never live may not work, and one without its image cannot start. */
export const canRollBackTo = ({
  image_available: available,
  current,
  live_at: live,
}: Pick<Release, 'image_available' | 'current' | 'live_at'>) => available && !current && live !== null

export const findLatestLive = <R extends Pick<Release, 'live_at'>>(releases: readonly R[]): R | undefined =>
  releases.toSorted((a, b) => (b.live_at ?? '').localeCompare(a.live_at ?? ''))[0]

/** Shortens a digest or Docker ID to 12 characters, as Docker does. */
export const shortDigest = (digest: string) => digest.replace(/^sha256:/, '').slice(0, 12)
