import { DockerError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { findInspection, type ContainerInspection } from '../../containers/inspect.ts'
import type { ServiceSpec } from './service-spec.ts'

/**
 * Returns whether a one-off container completed. A stop of Docker also ends it, often with code 0, so it must
 * have finished since Docker started.
 */
export async function hasCompleted(
  docker: Docker,
  { completes }: Pick<ServiceSpec, 'completes'>,
  id: string,
): Promise<boolean> {
  if (!completes) return false
  const found = await findInspection(docker, id)
  if (!found || !exitedSuccessfully(found)) return false
  return Date.parse(found.State.FinishedAt) >= (await readDockerStart(docker))
}

/** The default bridge is created when Docker starts; 0 if there is none. */
async function readDockerStart(docker: Docker): Promise<number> {
  try {
    return Date.parse((await docker.json<{ Created: string }>({ path: '/networks/bridge' })).Created)
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return 0
    throw error
  }
}

export const exitedSuccessfully = ({ State: state }: ContainerInspection) =>
  state.Status === 'exited' && state.ExitCode === 0
