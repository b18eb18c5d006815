import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import type { GitHubAccount, Installation, Permissions, State } from './state.ts'

/** A GitHub App. */
export interface App {
  id: number
  slug: string
  name: string
  owner: GitHubAccount
  /** Else it is for its owner’s account alone. */
  public: boolean
  client: { id: string; secret: string }
  webhookSecret: string
  /** In PEM, as GitHub gives it away once. */
  pem: string
  publicKey: KeyObject
  callbacks: [string, ...string[]]
  /** Where its webhooks go; nowhere while it is not set. */
  hookUrl: string | undefined
  permissions: Permissions
  events: string[]
  /** Every time that something was sent to it, the oldest first. */
  attempts: Attempt[]
}

/** One time that GitHub sent something, or tried to. */
export interface Attempt {
  /** Longer than what a number holds. */
  id: bigint
  guid: string
  deliveredAt: Date
  redelivery: boolean
  event: string
  body: string
  status: string
  statusCode: number
}

const kept = new Map<boolean, string>()

/** Making a key takes long, so it is a short one, and the tests of a process share two: apps that are there, and made ones. */
function newKey(shared: boolean): string {
  const known = kept.get(shared)
  if (known) return known
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  kept.set(shared, pem)
  return pem
}

/** Whether somebody can authorise it, or have it on their account. */
export const isFor = ({ public: open, owner }: App, account: GitHubAccount) =>
  open || account === owner || account.login in owner.members

export function makeApp(
  given: Pick<App, 'id' | 'name' | 'owner' | 'public' | 'callbacks' | 'hookUrl' | 'permissions' | 'events'>,
  { shared = false, clientId = `Iv23li${randomBytes(7).toString('hex')}` } = {},
): App {
  const pem = newKey(shared)
  return {
    ...given,
    slug: given.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    client: { id: clientId, secret: randomBytes(20).toString('hex') },
    webhookSecret: randomBytes(20).toString('hex'),
    pem,
    publicKey: createPublicKey(pem),
    attempts: [],
  }
}

/** Installs an app on an account, for all of its repositories or these. */
export function install(
  state: State,
  app: App,
  account: GitHubAccount,
  repositories: 'all' | string[],
): Installation {
  const installation: Installation = {
    id: state.nextId(),
    app,
    account,
    selection: repositories === 'all' ? 'all' : 'selected',
    selected: new Set(repositories === 'all' ? [] : repositories),
    permissions: { ...app.permissions },
    createdAt: new Date(),
    suspendedAt: null,
  }
  state.installations.set(installation.id, installation)
  return installation
}
