import type { Id } from '../../../contract/shared/ids.ts'
import { DockerError } from '../../remote/errors.ts'
import type { Docker } from '../../remote/host.ts'

export const slipwayPrefix = 'slipway-'

/** Names the network in which the proxy reaches the containers of one application. */
export const applicationNetworkName = (application: Id<'application'>) => `${slipwayPrefix}${application}`

export const projectNetworkName = (project: Id<'project'>) => `${slipwayPrefix}${project}`

/** Key of the lock that is held while networks of a server are created or removed. */
export const networkLockKey = (server: Id<'server'>) => `${slipwayPrefix}${server}`

/** Names the temporary network that reveals which subnet Docker would assign. */
export const probeNetworkName = (server: Id<'server'>) => `${slipwayPrefix}${server}-look`

export interface ExistingNetwork {
  Id: string
  Name: string
  Driver: string
  Internal: boolean
  Attachable: boolean
  EnableIPv6: boolean
  Options: Record<string, string> | null
  Labels: Record<string, string> | null
  IPAM: { Config: IpamEntry[] | null } | null
}

export interface IpamEntry {
  Subnet?: string
  Gateway?: string
  IPRange?: string
  AuxiliaryAddresses?: Record<string, string>
}

export async function findNetwork(docker: Docker, name: string): Promise<ExistingNetwork | undefined> {
  try {
    return await docker.json<ExistingNetwork>({ path: `/networks/${encodeURIComponent(name)}` })
  } catch (error) {
    if (error instanceof DockerError && error.status === 404) return undefined
    throw error
  }
}

export const subnetIn = ({ IPAM }: ExistingNetwork) =>
  IPAM?.Config?.find(({ Subnet: subnet }) => subnet?.includes('.'))?.Subnet

export const createNetwork = (docker: Docker, signal: AbortSignal, body: object) =>
  docker.json({ signal, method: 'POST', path: '/networks/create', body: { CheckDuplicate: true, ...body } })

export function listNetworks(
  docker: Docker,
  { signal, label }: { signal?: AbortSignal; label?: string } = {},
): Promise<ExistingNetwork[]> {
  const filters = label === undefined ? {} : { label: [label] }
  const query = new URLSearchParams({ filters: JSON.stringify(filters) }).toString()
  return docker.json<ExistingNetwork[]>({ path: `/networks?${query}`, signal })
}

/** Docker returns 403 for a network in use and 404 for a missing one. */
export async function removeIfUnused(docker: Docker, name: string, signal?: AbortSignal): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: `/networks/${encodeURIComponent(name)}`, signal })
  } catch (error) {
    if (!(error instanceof DockerError && [403, 404, 409].includes(error.status))) throw error
  }
}
