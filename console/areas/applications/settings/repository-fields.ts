import { writeVariables } from '../../../../contract/shared/dotenv.ts'
import { readVariableField } from '../../../lib/form/read-variables.ts'
import { readNumber, readOptionalNumber } from '../../../lib/form/read-number.ts'
import type { NewApplication } from '../new/new-body.ts'
import type { ApplicationDetails } from '../queries.ts'

type Settings = NonNullable<ApplicationDetails['repository']>
type Source = Extract<NewApplication['source'], { type: 'github' }>

export const repositoryLocationFields = {
  'source.branch': 'required',
  'source.folder': 'optional',
  'source.generated': 'optional',
} as const
export const buildFields = {
  'source.builder': 'required',
  'source.dockerfile': 'optional',
  'source.target': 'optional',
  'source.build_args': 'optional',
  'source.build_secrets': 'optional',
  'source.submodules': 'optional',
  'source.lfs': 'optional',
  'source.build_memory': 'optional',
  'source.build_cpus': 'optional',
  'source.build_minutes': 'required',
} as const
export const triggerFields = {
  'source.deploy_on': 'required',
  'source.tags': 'optional',
  'source.watch_paths': 'optional',
} as const

type Name =
  | 'source.integration_id'
  | 'source.repository'
  | keyof typeof repositoryLocationFields
  | keyof typeof buildFields
  | keyof typeof triggerFields

export type RepositoryDraft = Record<Name, string>

export const emptyRepositoryDraft: RepositoryDraft = {
  'source.integration_id': '',
  'source.repository': '',
  'source.branch': '',
  'source.folder': '',
  'source.builder': 'auto',
  'source.dockerfile': '',
  'source.generated': '',
  'source.target': '',
  'source.build_args': '',
  'source.build_secrets': '',
  'source.submodules': '',
  'source.lfs': '',
  'source.build_memory': '',
  'source.build_cpus': '',
  'source.build_minutes': '30',
  'source.deploy_on': 'push',
  'source.tags': '',
  'source.watch_paths': '',
}

const mebibyte = 1024 ** 2
/** Drafts store only text, so this text represents a checked box. */
export const checkedValue = 'yes'
const tick = (is: boolean) => (is ? checkedValue : '')

export const toRepositoryDraft = (saved: Settings): RepositoryDraft => ({
  'source.integration_id': saved.integration_id ?? '',
  'source.repository': saved.repository,
  'source.branch': saved.branch,
  'source.folder': saved.folder,
  'source.builder': saved.builder,
  'source.dockerfile': saved.dockerfile,
  'source.generated': saved.generated ?? '',
  'source.target': saved.target,
  'source.build_args': writeVariables(
    saved.build_args.map(({ key, value }) => ({ key, value: value ?? '' })),
  ),
  'source.build_secrets': saved.build_secrets.join(','),
  'source.submodules': tick(saved.submodules),
  'source.lfs': tick(saved.lfs),
  'source.build_memory': saved.build_memory === null ? '' : String(Math.round(saved.build_memory / mebibyte)),
  'source.build_cpus': saved.build_cpus === null ? '' : String(saved.build_cpus),
  'source.build_minutes': String(saved.build_minutes),
  'source.deploy_on': saved.deploy_on,
  'source.tags': saved.tags,
  'source.watch_paths': saved.watch_paths.join(','),
})

/** Throws an ApiError for invalid numbers and build arguments. */
export function readRepository(typed: RepositoryDraft): Source {
  const memory = readOptionalNumber('source.build_memory', typed['source.build_memory'])
  return {
    type: 'github',
    integration_id: typed['source.integration_id'],
    repository: typed['source.repository'],
    branch: typed['source.branch'].trim(),
    folder: typed['source.folder'],
    builder: oneOf(builders, typed['source.builder']),
    dockerfile: typed['source.dockerfile'],
    generated: typed['source.generated'].trim() === '' ? null : typed['source.generated'],
    target: typed['source.target'],
    build_args: readVariableField('source.build_args', typed['source.build_args']),
    build_secrets: splitCommaList(typed['source.build_secrets']),
    submodules: typed['source.submodules'] === checkedValue,
    lfs: typed['source.lfs'] === checkedValue,
    build_memory: memory === null ? null : Math.round(memory * mebibyte),
    build_cpus: readOptionalNumber('source.build_cpus', typed['source.build_cpus']),
    build_minutes: readNumber('source.build_minutes', typed['source.build_minutes']),
    deploy_on: oneOf(moments, typed['source.deploy_on']),
    tags: typed['source.tags'],
    watch_paths: splitCommaList(typed['source.watch_paths']),
  }
}

const builders = ['auto', 'dockerfile', 'generated', 'railpack'] as const
const moments = ['push', 'tag', 'nothing'] as const

const oneOf = <T extends string>(all: readonly [T, ...T[]], value: string): T =>
  all.find((entry) => entry === value) ?? all[0]

/** Drafts store lists as comma-separated text. */
export const splitCommaList = (text: string) =>
  text
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
