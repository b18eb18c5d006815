import type { z } from 'zod'
import type {
  accountServer,
  datacenter,
  region,
  serverImage,
  serverType,
} from '../../../contract/providers.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'

/** Credentials and context of provider calls. */
export interface Account {
  ctx: Context
  token: string
  signal?: AbortSignal | undefined
}

export type Region = z.infer<typeof region>
export type Datacenter = z.infer<typeof datacenter>
export type ServerType = z.infer<typeof serverType>
export type ServerImage = z.infer<typeof serverImage>

export interface CloudServer extends Omit<z.infer<typeof accountServer>, 'server' | 'created_at'> {
  madeFor: string | null
  created_at: Date | null
}

/**
 * Filters again locally: an ignored filter would make other servers look like ours, and they would be
 * destroyed.
 */
export const filterByTag = (madeFor: Id<'server'> | undefined, servers: CloudServer[]) =>
  servers.filter((one) => madeFor === undefined || one.madeFor === madeFor)

export interface NewCloudServer {
  /** A host name: letters, digits and dashes. */
  name: string
  region: string
  type: string
  image: string
  /** The provider's ID of the SSH key. */
  keyId: string
  /** Script that runs as root on the first boot. */
  userData: string
  /** Saved as a tag, so that the server is found even if the response is lost. */
  madeFor: Id<'server'>
}

/**
 * A cloud provider. Methods throw only the errors of cloud-errors.ts or the abort reason; lists are complete.
 * Add one with a file beside hetzner.ts and a line in providers.ts.
 */
export interface Provider {
  id: string
  name: string
  tokenUrl: string
  tokenHelp: string
  check(account: Account): Promise<{ account: string | null }>
  listRegions(account: Account): Promise<Region[]>
  listDatacenters(account: Account): Promise<Datacenter[]>
  listTypes(account: Account): Promise<ServerType[]>
  listImages(account: Account): Promise<ServerImage[]>
  listServers(account: Account, madeFor?: Id<'server'>): Promise<CloudServer[]>
  findServer(account: Account, id: string): Promise<CloudServer | undefined>
  /** Returns the provider's ID of the key, if it exists. */
  findKey(account: Account, publicKey: string): Promise<string | undefined>
  keepKey(account: Account, key: { name: string; publicKey: string }): Promise<string>
  removeKey(account: Account, id: string): Promise<void>
  createServer(account: Account, wanted: NewCloudServer): Promise<CloudServer>
  destroyServer(account: Account, id: string): Promise<void>
  urlOf(id: string): string
}
