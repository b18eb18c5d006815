import type { Exec } from '../../rig/inside.ts'
import { startRateLimit } from '../rate-limit.ts'

export interface FakeToken {
  /** Servers and keys belong to an account. */
  account: string
  /** Everything, read-only or nothing; or scopes, in the terms of the provider. */
  rights: 'all' | 'read' | 'none' | string[]
}

export interface FakeKey {
  id: string
  account: string
  name: string
  publicKey: string
  created: Date
}

export interface FakeServer {
  id: string
  account: string
  name: string
  region: string
  type: string
  image: string
  status: 'starting' | 'running' | 'off' | 'deleting'
  /** Empty for a server without a public IPv4 address. */
  address: string
  /** Hetzner has labels, the others have tags. */
  labels: Record<string, string>
  tags: string[]
  keys: FakeKey[]
  userData: string
  created: Date
  /** Delete protection, where the provider has that. */
  protected?: boolean
  /** The real machine behind it, if there is one. */
  machine?: Machine
}

export type NewServer = Pick<FakeServer, 'name' | 'region' | 'type' | 'image'> & Partial<FakeServer>

/** A computer that a server can run on. */
export interface Machine {
  address: string
  /** Resolves when it runs, has this hostname and authorizes these keys. */
  boot(name: string, publicKeys: string[]): Promise<void>
  /** Runs user data as cloud-init does. Resolves when the script has exited, with whatever code. */
  runUserData(userData: string): Promise<void>
  /** Runs a program on it, without SSH. */
  exec: Exec
  remove(): Promise<void>
}

/** Effect of a request, in terms that are the same for all clouds. */
export type Operation = 'create' | 'destroy' | 'add key' | 'remove key' | 'list' | 'look'

export type CloudState = ReturnType<typeof makeState>

/** State and behavior of a cloud, which tests read and change. */
export function makeState(nextId: () => string) {
  let lastAddress = 9
  const tokens = new Map<string, FakeToken>()
  const keys: FakeKey[] = []
  const servers: FakeServer[] = []
  const state = {
    tokens,
    keys,
    servers,
    /** How many servers the API ever created. */
    createdCount: 0,
    /** Server limit of an account. */
    quota: 10,
    /** Page size limit, where it is lower than the provider's own. */
    mostPerPage: Infinity,
    /** As `type@region`. */
    soldOut: new Set<string>(),
    /** How long a server is starting; forever if Infinity. */
    bootMs: 50,
    /** How long a server stays listed while it is deleted. */
    destroyMs: 0,
    userData: 'run' as 'run' | 'ignore' | 'fail',
    limit: startRateLimit(3600),
    nextId,
    /** From the ranges reserved for documentation: nobody has these. */
    nextAddress() {
      lastAddress++
      return lastAddress < 255 ? `203.0.113.${lastAddress}` : `198.51.100.${(lastAddress % 254) + 1}`
    },
    /** Adds a server that runs, unless a test says otherwise. */
    addServer(given: NewServer): FakeServer {
      const server: FakeServer = {
        id: nextId(),
        account: 'main',
        status: 'running',
        address: state.nextAddress(),
        labels: {},
        tags: [],
        keys: [],
        userData: '',
        created: new Date(),
        ...given,
      }
      servers.push(server)
      return server
    },
  }
  return state
}
