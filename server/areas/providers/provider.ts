import type { z } from 'zod'
import type { accountServer, region, serverImage, serverType } from '../../../contract/providers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'

export interface Account {
  ctx: Context
  token: string
  signal?: AbortSignal | undefined
}

export type Region = z.infer<typeof region>
export type ServerType = z.infer<typeof serverType>
export type ServerImage = z.infer<typeof serverImage>

export interface CloudServer extends Omit<z.infer<typeof accountServer>, 'server' | 'created_at'> {
  serverId: string | null
  created_at: Date | null
}

/**
 * Filters again locally: if a provider ignored the filter, servers of others would look like Slipway's and be
 * destroyed.
 */
export const filterByTag = (serverId: Id<'server'> | undefined, servers: CloudServer[]) =>
  servers.filter((server) => serverId === undefined || server.serverId === serverId)

export interface NewCloudServer {
  /** A host name: letters, digits and dashes. */
  name: string
  region: string
  type: string
  image: string
  keyId: string
  userData: string
  /** Provider tags carry this ID, so that the server is found even if the response is lost. */
  serverId: Id<'server'>
}

/** Methods throw only the errors of cloud-errors.ts or the abort reason; lists are complete. */
export interface Provider {
  id: string
  name: string
  tokenUrl: string
  tokenHelp: string
  check(account: Account): Promise<{ account: string | null }>
  listRegions(account: Account): Promise<Region[]>
  listTypes(account: Account): Promise<ServerType[]>
  listImages(account: Account): Promise<ServerImage[]>
  listServers(account: Account, serverId?: Id<'server'>): Promise<CloudServer[]>
  findServer(account: Account, id: string): Promise<CloudServer | undefined>
  findKey(account: Account, publicKey: string): Promise<string | undefined>
  keepKey(account: Account, key: { name: string; publicKey: string }): Promise<string>
  removeKey(account: Account, id: string): Promise<void>
  createServer(account: Account, wanted: NewCloudServer): Promise<CloudServer>
  destroyServer(account: Account, id: string): Promise<void>
  urlOf(id: string): string
}

export const isSameKey = (one: string, other: string) => materialOf(one) === materialOf(other)

const materialOf = (line: string) => line.trim().split(/\s+/).slice(0, 2).join(' ')

export const toServerTag = (serverId: Id<'server'>) => `slipway-${serverId}`

/** Matches the whole ID, because tags of users may have the same prefix. Some providers change the case. */
const ours = /^slipway-(srv_[0-9a-z]{26})$/i

export const findTaggedServerId = (tags: string[]) =>
  tags.flatMap((tag) => ours.exec(tag)?.[1]?.toLowerCase() ?? [])[0] ?? null
