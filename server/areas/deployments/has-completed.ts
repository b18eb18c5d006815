import type { Docker } from '../../remote/host.ts'
import { inspect, type Inspected } from '../containers/inspect.ts'
import type { Part } from './part.ts'

/** Whether it was to end, and has done so. What prepares something does so once, whoever goes on from there. */
export async function hasCompleted(
  docker: Docker,
  { completes }: Pick<Part, 'completes'>,
  id: string,
): Promise<boolean> {
  if (!completes) return false
  const found = await inspect(docker, id)
  return found !== undefined && hasEndedWell(found)
}

export const hasEndedWell = ({ State: state }: Inspected) => state.Status === 'exited' && state.ExitCode === 0
