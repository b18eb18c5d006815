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
  /** Domains of compose services, each as a line. */
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
  /** A reload dropped the fields that are not stored. */
  lost: boolean
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
  lost: false,
}

/** Fields that may hold secrets: environment values, arguments and compose files. */
const secret = { env: '', command: '', 'source.compose': '' } as const

export const hasSecrets = (draft: NewApplicationDraft) =>
  draft.env.trim() !== '' || draft.command.trim() !== '' || draft['source.compose'].trim() !== ''

export const writeDraft = (draft: NewApplicationDraft) =>
  JSON.stringify({ ...draft, ...secret, lost: draft.lost || hasSecrets(draft) })

/** Restores a stored draft; missing and invalid fields are blank. */
export function readNewApplicationDraft(text: string | null): NewApplicationDraft {
  const stored = new Map<string, unknown>(Object.entries(parse(text)))
  const entries = Object.entries(emptyDraft).map(([name, none]) => {
    const value = stored.get(name)
    return [name, isAlike(value, none) ? value : none]
  })
  // oxlint-disable-next-line no-unsafe-type-assertion -- the entries are those of a draft, each of its kind
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

export const isImageDraft = (draft: Pick<NewApplicationDraft, 'source.type'>) =>
  draft['source.type'] === 'docker_image'

/** Suggests a name for an image: `ghcr.io/acme/shop-api:2` becomes shop-api. */
export function proposeName(image: string): string {
  const repository = image.trim().replace(/@.*$/, '')
  const last = repository.slice(repository.lastIndexOf('/') + 1)
  return last.replace(/:.*$/, '')
}
