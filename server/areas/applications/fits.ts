import type { ServerRow } from '../servers/server.ts'
import type { Problems } from './ports.ts'
import { counted } from './review-steps.ts'

/** What Docker would refuse on this server, as far as is known of it: more cores for a container than there are. */
export function cpuProblems({ cpus }: Pick<ServerRow, 'cpus'>, cpu: number | null | undefined): Problems {
  if (cpus === null || (cpu ?? 0) <= cpus) return {}
  return { cpu_limit: [`Must be at most ${cpus}: the server has ${counted(cpus, 'core')}.`] }
}
