import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { inspect, type Inspected } from '../../containers/inspect.ts'
import type { Part } from './part.ts'

/**
 * Whether it was to end, and has done so. What prepares something does so once, whoever goes on from there; but a Docker that
 * is stopped ends it as well, and many say then that all is well.
 */
export async function hasCompleted(
  docker: Docker,
  { completes }: Pick<Part, 'completes'>,
  id: string,
): Promise<boolean> {
  if (!completes) return false
  const found = await inspect(docker, id)
  if (!found || !hasEndedWell(found)) return false
  return Date.parse(found.State.FinishedAt) >= (await startOfDocker(docker))
}

/** When Docker was started, by the server's clock: that is when it makes its own bridge. Where it has none nothing is known. */
async function startOfDocker(docker: Docker): Promise<number> {
  try {
    return Date.parse((await docker.json<{ Created: string }>({ path: '/networks/bridge' })).Created)
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return 0
    throw error
  }
}

export const hasEndedWell = ({ State: state }: Inspected) => state.Status === 'exited' && state.ExitCode === 0
