import type { EventType, Nudge } from '../../../contract/shared/events.ts'

type Prefix = EventType | Nudge extends `${infer P}.${string}` ? P : never

/** Query key prefixes that an event invalidates, by the kind of the event. */
const keys: Record<Prefix, string | readonly string[]> = {
  workspace: 'workspaces',
  member: 'workspaces',
  invite: 'workspaces',
  api_token: 'api-tokens',
  billing: ['billing', 'workspaces'],
  // Project variables are part of the configuration of the applications in the project.
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
  // A new channel offers to send the incidents that are firing.
  incident: ['alerts', 'incidents', 'notifications', 'home'],
  // An alert whose last channel was deleted notifies nobody.
  notification: ['notifications', 'alerts', 'home'],
  message: ['notifications', 'incidents'],
  command: 'commands',
  terminal: 'servers',
}

/** Returns the query keys that an event affects. Unknown kinds return undefined, which invalidates everything. */
export function affectedQueryKeys(type: string): string[] | undefined {
  if (type === 'connected') return []
  const prefix = type.split('.', 1)[0] ?? ''
  const touched = Object.entries(keys).find(([kind]) => kind === prefix)?.[1]
  if (touched === undefined) return undefined
  // Nudges are not in the audit log and can arrive several times a second, so they do not refetch it.
  return [touched, type.endsWith('.changed') ? [] : 'audit'].flat(2)
}
