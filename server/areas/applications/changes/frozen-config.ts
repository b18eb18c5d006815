import type { Context } from '../../../context.ts'
import type { HiddenConfig, OpenConfig, ReleaseConfig } from '../../../tables.ts'

type WithSecrets = Pick<Context, 'secrets'>
type Table = 'releases' | 'deployments'

const place = (table: Table, id: string) => `${table}.config_sealed:${id}`

/** Seals fields that may hold secrets; the others stay readable for SQL. */
export function freezeConfig({ secrets }: WithSecrets, table: Table, id: string, config: ReleaseConfig) {
  const { command, labels, build, ...rest } = config
  const { build_args, generated, ...open } = build ?? {}
  const hidden: HiddenConfig = { command, labels, build_args, generated }
  return {
    config: JSON.stringify({ ...rest, ...(build && { build: open }) }),
    config_sealed: secrets.seal(place(table, id), JSON.stringify(hidden)),
  }
}

export function openFrozenConfig(
  { secrets }: WithSecrets,
  table: Table,
  { id, config, config_sealed: sealed }: { id: string; config: OpenConfig; config_sealed: string | null },
): ReleaseConfig {
  // The sealed value was written by freezeConfig.
  const hidden: Partial<HiddenConfig> =
    sealed === null ? {} : (JSON.parse(secrets.open(place(table, id), sealed)) as HiddenConfig)
  const { command = null, labels = [], build_args = [], generated = null } = hidden
  const { build, ...rest } = config
  return { ...rest, command, labels, ...(build && { build: { ...build, build_args, generated } }) }
}
