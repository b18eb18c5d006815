import type { z } from 'zod'
import type { change } from '../../../../contract/releases.ts'
import type { Pair } from '../../../../contract/shared/entries.ts'
import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import { composeChanges } from '../../compose/compose-changes.ts'
import type { ApplicationConfig, ReleaseConfig } from '../config.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import type { BuildConfig } from '../../../tables.ts'

export type Change = z.output<typeof change>

/** Lists differences in the order of the settings. Values of the environment are never included. */
export function changesBetween(from: ApplicationConfig, to: ApplicationConfig): Change[] {
  const isCompose = from.compose !== null || to.compose !== null
  const settings = Object.entries(formatSetting).flatMap(([field, say]) =>
    isCompose && !composeFields.has(field) ? [] : compareField(field, say(from.config), say(to.config)),
  )
  const variables = entriesBetween('env', from.env, to.env).map((change) => ({
    ...change,
    from: null,
    to: null,
  }))
  if (isCompose) return [...fileChanges(from.compose, to.compose), ...settings, ...variables]
  return [
    ...buildChanges(from.config.build, to.config.build),
    ...settings,
    ...variables,
    ...entriesBetween('labels', from.config.labels, to.config.labels),
    ...entriesBetween('volumes', toMountPairs(from.config), toMountPairs(to.config)),
  ]
}

/** A renamed repository is the same one; a generated Dockerfile is reported by its size only. */
function buildChanges(from: ReleaseConfig['build'], to: ReleaseConfig['build']): Change[] {
  if (!from || !to) return []
  const isRenamed = from.repository_id === to.repository_id && from.repository !== to.repository
  const settings = Object.entries(formatBuildSettings).flatMap(([field, say]): Change[] => {
    if (field === 'repository' && isRenamed) return []
    const isOther = field === 'generated' && from.generated !== to.generated
    const [before, after] = [say(from), say(to)]
    return isOther && before === after
      ? [{ field, kind: 'changed', from: before, to: after }]
      : compareField(field, before, after)
  })
  return [...settings, ...entriesBetween('build_args', buildArguments(from), buildArguments(to))]
}

const composeFields = new Set(['health', 'drain_seconds'])

const fileChanges = (from: ApplicationConfig['compose'], to: ApplicationConfig['compose']): Change[] => [
  ...composeChanges(from?.text ?? '', to?.text ?? ''),
  ...compareField('profiles', formatProfiles(from), formatProfiles(to)),
]

const formatProfiles = (compose: ApplicationConfig['compose']): FormattedValue =>
  compose?.profiles.toSorted().join(', ') || null

type FormattedValue = string | null

const formatSetting: Record<string, (config: ReleaseConfig) => FormattedValue> = {
  image: ({ image }) => image,
  command: ({ command }) => formatNullable(command, (parts) => parts.map(argument).join(' ')),
  port: ({ port }) => formatNullable(port, String),
  health: ({ health }) => formatHealthCheck(health),
  memory_limit: ({ memory_limit: limit }) => formatNullable(limit, formatBytesExact),
  cpu_limit: ({ cpu_limit: limit }) => formatNullable(limit, (cores) => formatCount(cores, 'core')),
  replicas: ({ replicas }) => String(replicas),
  restart: ({ restart }) => restart,
  stop_grace_seconds: ({ stop_grace_seconds: seconds }) => String(seconds),
  drain_seconds: ({ drain_seconds: seconds }) => String(seconds),
  stop_first: ({ stop_first: stopsFirst = false }) => (stopsFirst ? 'yes' : null),
}

const formatNullable = <T>(value: T | null, say: (value: T) => string): FormattedValue =>
  value === null ? null : say(value)

/** Quotes an argument with spaces or special characters, so that it does not read as several. */
const argument = (text: string) => (/^[\w./:=@%+,-]+$/.test(text) ? text : JSON.stringify(text))

const formatHealthCheck = ({ type, path, within_seconds: seconds }: ReleaseConfig['health']) =>
  `${type}${type === 'http' ? ` ${path}` : ''}, timeout ${seconds} s`

const toMountPairs = ({ volumes }: ReleaseConfig): Pair[] =>
  volumes.map(({ source, target }) => ({ key: target, value: source }))

function entriesBetween(field: string, from: Pair[], to: Pair[]): Change[] {
  const before = new Map(from.map(({ key, value }) => [key, value]))
  const after = new Map(to.map(({ key, value }) => [key, value]))
  const keys = [...new Set([...before.keys(), ...after.keys()])].toSorted()
  return keys.flatMap((key) =>
    compareField(`${field}.${key}`, before.get(key) ?? null, after.get(key) ?? null),
  )
}

function compareField(field: string, from: FormattedValue, to: FormattedValue): Change[] {
  if (from === to) return []
  const kind = from === null ? 'added' : to === null ? 'removed' : 'changed'
  return [{ field, kind, from, to }]
}

const formatBuildSettings: Record<string, (build: BuildConfig) => string | null> = {
  repository: ({ repository }) => repository,
  branch: ({ branch }) => branch,
  folder: ({ folder }) => folder || null,
  builder: ({ builder }) => builder,
  dockerfile: ({ dockerfile }) => dockerfile || null,
  generated: ({ generated }) => (generated === null ? null : `${generated.split('\n').length} lines`),
  target: ({ target }) => target || null,
  build_secrets: ({ build_secrets: names }) => names.toSorted().join(', ') || null,
  submodules: ({ submodules }) => (submodules ? 'fetched' : null),
  lfs: ({ lfs }) => (lfs ? 'fetched' : null),
  build_memory: ({ build_memory: limit }) => (limit === null ? null : formatBytesExact(limit)),
  build_cpus: ({ build_cpus: limit }) => (limit === null ? null : formatCount(limit, 'core')),
  build_minutes: ({ build_minutes: minutes }) => String(minutes),
}

const buildArguments = (build: BuildConfig | undefined): Pair[] => build?.build_args ?? []
