import type { EventType, Nudge } from '../../../contract/shared/events.ts'

type Prefix = EventType | Nudge extends `${infer P}.${string}` ? P : never

/** Query key prefixes to invalidate, by the kind of an event. */
const keys: Record<Prefix, string | readonly string[]> = {
  workspace: 'workspaces',
  member: 'workspaces',
  invite: 'workspaces',
  api_token: 'api-tokens',
  billing: ['billing', 'workspaces'],
  // Project variables are part of the configuration of its applications.
  project: ['projects', 'applications', 'servers'],
  template: 'templates',
  registry: 'registries',
  cloud_token: ['cloud-tokens', 'servers', 'providers'],
  // The state of containers is unknown while their server is unreachable.
  server: ['servers', 'containers', 'images', 'applications', 'projects', 'home'],
  // The status of an application depends on its containers.
  container: ['containers', 'applications', 'projects', 'home'],
  image: 'images',
  pull: 'pulls',
  application: ['applications', 'hooks', 'projects', 'home'],
  certificate: ['applications', 'home'],
  // Deliveries show the status of their deployments.
  deployment: ['deployments', 'applications', 'deliveries', 'projects', 'home'],
  integration: 'integrations',
  github_app: 'integrations',
  // The deploy hook shows when it was last used.
  delivery: ['deliveries', 'hooks'],
  // The status of an alert depends on its incidents.
  alert: ['alerts', 'incidents', 'home'],
  // A new channel is offered what is firing.
  incident: ['alerts', 'incidents', 'notifications', 'home'],
  // An alert without another channel notifies nobody once its channel is deleted.
  notification: ['notifications', 'alerts', 'home'],
  message: ['notifications', 'incidents'],
  command: 'commands',
  terminal: 'servers',
}

/** Undefined for unknown kinds, which invalidate everything. */
export function affectedQueryKeys(type: string): string[] | undefined {
  if (type === 'connected') return []
  const prefix = type.split('.', 1)[0] ?? ''
  const touched = Object.entries(keys).find(([kind]) => kind === prefix)?.[1]
  if (touched === undefined) return undefined
  // Nudges are not in the audit log and may arrive several times a second.
  return [touched, type.endsWith('.changed') ? [] : 'audit'].flat(2)
}
