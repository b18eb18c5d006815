import type { EventType, Nudge } from '../../../contract/shared/events.ts'

type Prefix = EventType | Nudge extends `${infer P}.${string}` ? P : never

/** What is asked for again when something of a kind happened: the first word of the query keys. */
const keys: Record<Prefix, string | readonly string[]> = {
  workspace: 'workspaces',
  member: 'workspaces',
  invite: 'workspaces',
  api_token: 'api-tokens',
  billing: ['billing', 'workspaces'],
  // Its variables are part of what its applications are configured as.
  project: ['projects', 'applications', 'servers'],
  template: 'templates',
  registry: 'registries',
  cloud_token: ['cloud-tokens', 'servers', 'providers'],
  // What was seen on a server is no longer known to be so when it is lost, and is known again when it is back.
  server: ['servers', 'containers', 'images', 'applications', 'projects', 'home'],
  // The state of an application is that of its containers.
  container: ['containers', 'applications', 'projects', 'home'],
  image: 'images',
  pull: 'pulls',
  application: ['applications', 'hooks', 'projects', 'home'],
  certificate: ['applications', 'home'],
  // What came in tells how far the deployment is that it asked for.
  deployment: ['deployments', 'applications', 'deliveries', 'projects', 'home'],
  integration: 'integrations',
  github_app: 'integrations',
  // Whose deploy hook says when it was used.
  delivery: ['deliveries', 'hooks'],
  // How an alert is, is how its incidents are.
  alert: ['alerts', 'incidents', 'home'],
  incident: ['alerts', 'incidents', 'home'],
  // An alert that is told through one alone is told to nobody once that is gone.
  notification: ['notifications', 'alerts', 'home'],
  message: ['notifications', 'incidents'],
  command: 'commands',
  terminal: 'servers',
}

/** Undefined means: of an unknown kind, so anything may have changed. */
export function keysTouchedBy(type: string): string[] | undefined {
  if (type === 'connected') return []
  const prefix = type.split('.', 1)[0] ?? ''
  const touched = Object.entries(keys).find(([kind]) => kind === prefix)?.[1]
  if (touched === undefined) return undefined
  // What changed of itself is in no audit log, and may come several times a second.
  return [touched, type.endsWith('.changed') ? [] : 'audit'].flat(2)
}
