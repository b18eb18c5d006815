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

/** An account at a cloud, as a call to it needs it. */
export interface Account {
  ctx: Context
  token: string
  /** Whoever waits no longer. */
  signal?: AbortSignal | undefined
}

export type Region = z.infer<typeof region>
export type Datacenter = z.infer<typeof datacenter>
export type ServerType = z.infer<typeof serverType>
export type ServerImage = z.infer<typeof serverImage>

/** A server as its cloud tells of it. */
export interface CloudServer extends Omit<z.infer<typeof accountServer>, 'server' | 'created_at'> {
  /** Of ours: which server of Slipway it was made for. */
  madeFor: string | null
  created_at: Date | null
}

/** A filter that a cloud did not heed must never make others seem to be ours: they would be destroyed. */
export const onlyFor = (madeFor: Id<'server'> | undefined, servers: CloudServer[]) =>
  servers.filter((one) => madeFor === undefined || one.madeFor === madeFor)

export interface Wanted {
  /** A host name: letters, digits and dashes. */
  name: string
  region: string
  type: string
  image: string
  /** The cloud's id of the key that may log in. */
  keyId: string
  /** Runs as root when it boots for the first time. */
  userData: string
  /** Written at the cloud, so that it is found again whatever becomes of the answer. */
  madeFor: Id<'server'>
}

/**
 * A cloud. Everything throws what cloud-errors.ts has, or why the signal was aborted, and nothing else; lists are whole, however
 * many pages they have. One is added by a file beside hetzner.ts and a line in providers.ts.
 */
export interface Provider {
  /** As it stands in paths. */
  id: string
  name: string
  tokenUrl: string
  tokenHelp: string
  /** Whether it takes the token, and whether that may do all that is below. Whose it is, where it says so. */
  check(account: Account): Promise<{ account: string | null }>
  listRegions(account: Account): Promise<Region[]>
  listDatacenters(account: Account): Promise<Datacenter[]>
  listTypes(account: Account): Promise<ServerType[]>
  listImages(account: Account): Promise<ServerImage[]>
  /** All, or those that were made for one server of ours. */
  listServers(account: Account, madeFor?: Id<'server'>): Promise<CloudServer[]>
  findServer(account: Account, id: string): Promise<CloudServer | undefined>
  /** The id of a key at the cloud, if it is there. */
  findKey(account: Account, publicKey: string): Promise<string | undefined>
  /** Its id at the cloud. A key that is there already is that one. */
  keepKey(account: Account, key: { name: string; publicKey: string }): Promise<string>
  /** One that is gone already is fine, here and below. */
  removeKey(account: Account, id: string): Promise<void>
  createServer(account: Account, wanted: Wanted): Promise<CloudServer>
  destroyServer(account: Account, id: string): Promise<void>
  /** Its page in the cloud's own console. */
  urlOf(id: string): string
}
