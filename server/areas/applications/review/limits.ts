import type { BuildConfig } from '../../../tables.ts'
import type { ServerRow } from '../../servers/server.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { NewApplication } from '../plan.ts'
import type { FieldProblems } from '../entries/ports.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'

const mebibyte = 1024 ** 2
/** Share that stays available to running applications. */
const reservedMemory = 512 * mebibyte
const share = 0.75

export interface BuildLimits {
  memory: number
  cpus: number
  processes: number
  minutes: number
}

type Size = Pick<ServerRow, 'memory_bytes' | 'cpus'>
type BuildLimitSettings = Pick<BuildConfig, 'build_memory' | 'build_cpus' | 'build_minutes'>

/** Caps configured limits at the size of the server; the default leaves room for running applications. */
export const buildLimits = ({ memory_bytes, cpus }: Size, build: BuildLimitSettings): BuildLimits => ({
  memory: Math.min(
    build.build_memory ?? memoryFor(memory_bytes ?? 2 * reservedMemory),
    memory_bytes === null ? Infinity : maxBuildMemory(memory_bytes),
  ),
  cpus: Math.min(build.build_cpus ?? Math.max(1, (cpus ?? 1) * share), cpus ?? Infinity),
  processes: 4096,
  minutes: build.build_minutes,
})

export const maxBuildMemory = (total: number) => Math.max(reservedMemory, total - reservedMemory)

const memoryFor = (total: number) =>
  Math.floor(Math.max(reservedMemory, Math.min(total * share, total - reservedMemory)) / mebibyte) * mebibyte

/** Docker rejects more cores than the server has. */
export function checkCpuLimit(
  { cpus }: Pick<ServerRow, 'cpus'>,
  cpu: number | null | undefined,
): FieldProblems {
  if (cpus === null || (cpu ?? 0) <= cpus) return {}
  return { cpu_limit: [`Must be at most ${cpus}: the server has ${formatCount(cpus, 'core')}.`] }
}

export function checkBuildLimits(
  { cpus, memory_bytes: all }: Pick<ServerRow, 'cpus' | 'memory_bytes'>,
  source: NewApplication['source'] | undefined,
): FieldProblems {
  if (!source || !('repository' in source)) return {}
  const problems: FieldProblems = {}
  if (all !== null && (source.build_memory ?? 0) > maxBuildMemory(all))
    problems['source.build_memory'] = [
      `Must be at most ${formatBytes(maxBuildMemory(all))}: the server has ${formatBytes(all)} and needs some of it for other containers.`,
    ]
  const { cpu_limit: tooMany } = checkCpuLimit({ cpus }, source.build_cpus)
  if (tooMany) problems['source.build_cpus'] = tooMany
  return problems
}
