import type { Id } from '../../../contract/ids.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'

/** Slipway's own network on a server, in which every container of an application has an address of its own. */
export const networkNameOf = (server: Id<'server'>) => `slipway-${server}`

/** One that is there for a moment only, to see which addresses Docker would give. */
export const lookNameOf = (network: string) => `${network}-look`

/** With what somebody who was cut off has left of making it. It stays while a container uses it. */
export async function removeNetwork(
  docker: Docker,
  server: Id<'server'>,
  signal?: AbortSignal,
): Promise<void> {
  const name = networkNameOf(server)
  await removeIfUnused(docker, lookNameOf(name), signal)
  await removeIfUnused(docker, name, signal)
}

/** Docker says 403 of one that is in use, and 404 of one that is not there. */
export async function removeIfUnused(docker: Docker, name: string, signal?: AbortSignal): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: `/networks/${encodeURIComponent(name)}`, signal })
  } catch (error) {
    if (!(error instanceof DockerError && [403, 404, 409].includes(error.status))) throw error
  }
}
