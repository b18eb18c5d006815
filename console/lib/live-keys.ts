import type { EventType } from '../../contract/events.ts'

type Prefix = EventType extends `${infer P}.${string}` ? P : never

/** What is asked for again when something of a kind happened: the first word of the query keys. */
const keys: Record<Prefix, string> = {
  workspace: 'workspaces',
  member: 'workspaces',
  invite: 'workspaces',
  api_token: 'api-tokens',
  server: 'servers',
  command: 'commands',
  terminal: 'servers',
}

/** Undefined means: of an unknown kind, so anything may have changed. */
export function keysTouchedBy(type: string): string[] | undefined {
  if (type === 'connected') return []
  const prefix = type.split('.', 1)[0] ?? ''
  const key = Object.entries(keys).find(([kind]) => kind === prefix)?.[1]
  return key === undefined ? undefined : [key, 'audit']
}
