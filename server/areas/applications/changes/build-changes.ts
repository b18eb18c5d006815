import type { Pair } from '../../../../contract/shared/entries.ts'
import { formatBytesExact } from '../../../../contract/shared/bytes.ts'
import type { BuildConfig } from '../../../tables.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'

type FormattedValue = string | null

/** Formats build settings; null for defaults. */
export const formatBuildSettings: Record<string, (build: BuildConfig) => FormattedValue> = {
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

export const buildArguments = (build: BuildConfig | undefined): Pair[] => build?.build_args ?? []
