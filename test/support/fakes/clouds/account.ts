import type { Exec } from '../../rig/inside.ts'

/** What a token may do: everything, only look, or nothing; or what it names, in the words of the cloud that has such. */
export type Rights = 'all' | 'read' | 'none' | string[]

export interface FakeToken {
  /** Which account it opens; servers and keys belong to one. */
  account: string
  rights: Rights
}

export interface FakeKey {
  id: string
  account: string
  name: string
  publicKey: string
  created: Date
}

export type FakeStatus = 'starting' | 'running' | 'off' | 'deleting'

export interface FakeServer {
  id: string
  account: string
  name: string
  region: string
  type: string
  image: string
  status: FakeStatus
  /** Empty for one that has none. */
  address: string
  /** Hetzner has labels, the others have tags. */
  labels: Record<string, string>
  tags: string[]
  keys: FakeKey[]
  userData: string
  created: Date
  /** Against deletion, where the cloud has that. */
  protected?: boolean
  /** What it runs on, where it is a real one. */
  machine?: Machine
}

/** A computer that a server can be. */
export interface Machine {
  address: string
  /** Resolves when it runs, has this name, and lets in the holders of these keys. */
  boot(name: string, publicKeys: string[]): Promise<void>
  /** What cloud-init does with user data. Resolves when that has ended, however. */
  runUserData(userData: string): Promise<void>
  /** Runs a program in it, without SSH. */
  exec: Exec
  powerOff(): Promise<void>
  powerOn(): Promise<void>
  remove(): Promise<void>
}

/** What may happen to a call, in words that are the same for all clouds. */
export type Deed = 'create' | 'destroy' | 'add key' | 'remove key' | 'list' | 'look'

/** What a cloud has and how it behaves just now; tests look at it and change it. */
export interface CloudState {
  url: string
  tokens: Map<string, FakeToken>
  keys: FakeKey[]
  servers: FakeServer[]
  /** How many were ever made by a call. */
  createdCount: number
  /** How many servers an account may have. */
  quota: number
  /** How many a page has at most, where that is less than the cloud's own limit. */
  mostPerPage: number
  /** As `type@region`. */
  soldOut: Set<string>
  /** How long a server is starting; for ever, if Infinity. */
  bootMs: number
  /** How long one that is being deleted is still there. */
  destroyMs: number
  userData: 'run' | 'ignore' | 'fail'
  rate: { limit: number; remaining: number; reset: number; retryAfter: number | undefined }
  nextId: () => string
  nextAddress: () => string
}

export function makeState(url: string, nextId: () => string): CloudState {
  let last = 9
  return {
    url,
    tokens: new Map(),
    keys: [],
    servers: [],
    createdCount: 0,
    quota: 10,
    mostPerPage: Infinity,
    soldOut: new Set(),
    bootMs: 50,
    destroyMs: 0,
    userData: 'run',
    rate: { limit: 3600, remaining: 3600, reset: 0, retryAfter: undefined },
    nextId,
    // What documentation is written with: nobody has these.
    nextAddress() {
      last++
      return last < 255 ? `203.0.113.${last}` : `198.51.100.${(last % 254) + 1}`
    },
  }
}
