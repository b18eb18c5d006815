import { emptyRepositoryDraft, type RepositoryDraft } from '../settings/repository-fields.ts'

export interface NewApplicationDraft extends RepositoryDraft {
  'source.type': string
  'source.image': string
  'source.compose': string
  'source.profiles': readonly string[]
  server_id: string
  project_id: string
  name: string
  generated_address: boolean
  domains: string
  routes: readonly string[]
  env: string
  volumes: string
  ports: string
  labels: readonly string[]
  port: string
  'health.type': string
  'health.path': string
  'health.within_seconds': string
  memory_limit: string
  cpu_limit: string
  replicas: string
  command: string
  restart: string
  stop_grace_seconds: string
  drain_seconds: string
  stop_first: boolean
  auto_rollback: boolean
  /** Names of secret fields that the user had filled in before a reload. Drafts are stored without their values. */
  lost: readonly string[]
}

export const emptyDraft: NewApplicationDraft = {
  ...emptyRepositoryDraft,
  'source.type': 'docker_image',
  'source.image': '',
  'source.compose': '',
  'source.profiles': [],
  server_id: '',
  project_id: '',
  name: '',
  generated_address: true,
  domains: '',
  routes: [],
  env: '',
  volumes: '',
  ports: '',
  labels: [],
  port: '',
  'health.type': 'auto',
  'health.path': '/',
  'health.within_seconds': '60',
  memory_limit: '',
  cpu_limit: '',
  replicas: '1',
  command: '',
  restart: 'always',
  stop_grace_seconds: '10',
  drain_seconds: '30',
  stop_first: false,
  auto_rollback: false,
  lost: [],
}

/** Fields that may hold secrets: environment values, arguments and compose files. */
const secret = { env: '', command: '', 'source.compose': '' } as const

const secretFields = (draft: NewApplicationDraft) =>
  (['source.compose', 'env', 'command'] as const).filter((field) => draft[field].trim() !== '')

export const hasSecrets = (draft: NewApplicationDraft) => secretFields(draft).length > 0

export const writeDraft = (draft: NewApplicationDraft) =>
  JSON.stringify({ ...draft, ...secret, lost: [...new Set([...draft.lost, ...secretFields(draft)])] })

/** Returns the lost fields that apply to this source and are still empty. */
export const lostFields = (draft: NewApplicationDraft) => {
  const filled: readonly string[] = secretFields(draft)
  const unused = isComposeDraft(draft) ? 'command' : 'source.compose'
  return draft.lost.filter((field) => field !== unused && !filled.includes(field))
}

/** Returns whether the draft describes an application. A server, project or account alone does not count. */
export function isStarted(draft: NewApplicationDraft): boolean {
  const { server_id, project_id, 'source.integration_id': account } = draft
  const untouched = { ...emptyDraft, server_id, project_id, 'source.integration_id': account }
  return writeDraft(draft) !== writeDraft(untouched)
}

/** Restores a stored draft; missing and invalid fields are blank. */
export function readNewApplicationDraft(text: string | null): NewApplicationDraft {
  const stored = new Map<string, unknown>(Object.entries(parse(text)))
  const entries = Object.entries(emptyDraft).map(([name, none]) => {
    const value = stored.get(name)
    return [name, isAlike(value, none) ? value : none]
  })
  // oxlint-disable-next-line no-unsafe-type-assertion -- the entries have the keys and value types of a draft
  return Object.fromEntries(entries) as NewApplicationDraft
}

const isAlike = (value: unknown, none: unknown) =>
  Array.isArray(none)
    ? Array.isArray(value) && value.every((entry) => typeof entry === 'string')
    : typeof value === typeof none

function parse(text: string | null): object {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    return {}
  }
}

export const isComposeDraft = (draft: Pick<NewApplicationDraft, 'source.type'>) =>
  draft['source.type'] === 'compose'

export const isRepositoryDraft = (draft: Pick<NewApplicationDraft, 'source.type'>) =>
  draft['source.type'] === 'github'

/** Adds the suggested name to a change of the source, unless the user has chosen another. */
export function withSuggestedName(
  draft: NewApplicationDraft,
  change: Partial<NewApplicationDraft>,
): Partial<NewApplicationDraft> {
  const isOwn = draft.name !== '' && draft.name !== suggestName(draft)
  return isOwn ? change : { ...change, name: suggestName({ ...draft, ...change }) }
}

function suggestName(draft: NewApplicationDraft): string {
  if (isComposeDraft(draft)) return nameInFile(draft['source.compose'])
  return lastSegment(draft[isRepositoryDraft(draft) ? 'source.repository' : 'source.image'])
}

/** Returns the project name in the compose file, or the name of its first service. */
const nameInFile = (compose: string) =>
  (
    /^name:[ \t]*["']?([\w-]+)/m.exec(compose) ??
    /^services:.*\n(?:\s*#.*\n|\s*\n)*[ \t]+([\w.-]+):/m.exec(compose)
  )?.[1] ?? ''

/** Returns `shop-api` for `ghcr.io/acme/shop-api:2`. */
export function lastSegment(image: string): string {
  const repository = image.trim().replace(/@.*$/, '')
  return repository.slice(repository.lastIndexOf('/') + 1).replace(/:.*$/, '')
}
