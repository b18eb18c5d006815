/** What was typed of an application that is not made yet, as it was typed, by the names that the API has for it. */
export interface Draft {
  'source.image': string
  server_id: string
  name: string
  generated_address: boolean
  domains: string
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
  stop_seconds: string
  drain_seconds: string
  auto_rollback: boolean
  /** A reload has taken what is not kept beyond it. */
  lost: boolean
}

export const blank: Draft = {
  'source.image': '',
  server_id: '',
  name: '',
  generated_address: true,
  domains: '',
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
  stop_seconds: '10',
  drain_seconds: '30',
  auto_rollback: false,
  lost: false,
}

export const holdsSecrets = ({ env, command }: Draft) => env.trim() !== '' || command.trim() !== ''

/** As the tab keeps it: values of the environment and arguments may be secret, and are left out. */
export const writeDraft = (draft: Draft) =>
  JSON.stringify({ ...draft, env: '', command: '', lost: draft.lost || holdsSecrets(draft) })

/** What the tab has kept; what is not there, or of another kind than it was, is blank. */
export function readDraft(text: string | null): Draft {
  const stored = new Map<string, unknown>(Object.entries(parse(text)))
  const entries = Object.entries(blank).map(([name, none]) => {
    const value = stored.get(name)
    return [name, isAlike(value, none) ? value : none]
  })
  // oxlint-disable-next-line no-unsafe-type-assertion -- the entries are those of a draft, each of its kind
  return Object.fromEntries(entries) as Draft
}

const isAlike = (value: unknown, none: unknown) =>
  Array.isArray(none)
    ? Array.isArray(value) && value.every((one) => typeof one === 'string')
    : typeof value === typeof none

function parse(text: string | null): object {
  try {
    const stored: unknown = JSON.parse(text ?? '{}')
    return typeof stored === 'object' && stored !== null ? stored : {}
  } catch {
    return {}
  }
}
