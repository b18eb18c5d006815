import type { Id } from '../../../contract/shared/ids.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'

export const slipwayPrefix = 'slipway-'

/** The network of one application, in which the proxy reaches its containers. */
export const applicationNetworkName = (application: Id<'application'>) => `${slipwayPrefix}${application}`

export const projectNetworkName = (project: Id<'project'>) => `${slipwayPrefix}${project}`

/** Held while networks of a server are created or removed. */
export const networkLockKey = (server: Id<'server'>) => `${slipwayPrefix}${server}`

/** Temporary network that reveals which subnet Docker would assign. */
export const probeNetworkName = (server: Id<'server'>) => `${slipwayPrefix}${server}-look`

/** Docker returns 403 for a network in use and 404 for a missing one. */
export async function removeIfUnused(docker: Docker, name: string, signal?: AbortSignal): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: `/networks/${encodeURIComponent(name)}`, signal })
  } catch (error) {
    if (!(error instanceof DockerError && [403, 404, 409].includes(error.status))) throw error
  }
}
