import type { ServerRow } from '../../servers/server.ts'
import { formatBytes } from '../../../../contract/shared/bytes.ts'
import type { NewApplication } from '../plan-application.ts'
import { maxBuildMemory } from '../source.ts'
import type { FieldProblems } from '../entries/ports.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'

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
      `Must be at most ${formatBytes(maxBuildMemory(all))}: the server has ${formatBytes(all)}, part of which is reserved for other containers.`,
    ]
  const { cpu_limit: tooMany } = checkCpuLimit({ cpus }, source.build_cpus)
  if (tooMany) problems['source.build_cpus'] = tooMany
  return problems
}
