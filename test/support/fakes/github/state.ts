import { createPublicKey, generateKeyPairSync, type KeyObject, randomBytes } from 'node:crypto'
import { startRateLimit } from '../rate-limit.ts'
import type { Repository } from './bare.ts'

export interface GitHubAccount {
  id: number
  login: string
  name: string | null
  type: 'User' | 'Organization'
  emails: { email: string; primary: boolean; verified: boolean }[]
  /** Members of an organization, with their roles. */
  members: Record<string, 'admin' | 'member'>
}

export type Permissions = Record<string, 'read' | 'write'>

/** A GitHub App. */
export interface App {
  id: number
  slug: string
  name: string
  owner: GitHubAccount
  /** A private App is for the account of its owner alone. */
  public: boolean
  client: { id: string; secret: string }
  webhookSecret: string
  pem: string
  publicKey: KeyObject
  callbacks: [string, ...string[]]
  hookUrl: string | undefined
  permissions: Permissions
  events: string[]
  /** Attempts to deliver webhooks, the oldest first. */
  attempts: Attempt[]
}

export interface Attempt {
  /** Exceeds the range of safe integers. */
  id: bigint
  guid: string
  deliveredAt: Date
  redelivery: boolean
  event: string
  body: string
  status: string
  statusCode: number
}

export interface Installation {
  id: number
  app: App
  account: GitHubAccount
  selection: 'all' | 'selected'
  /** Names of selected repositories, without the owner. */
  selected: Set<string>
  permissions: Permissions
  createdAt: Date
  suspendedAt: Date | null
}

/** A user's authorization of an App. */
export interface Grant {
  app: App
  account: GitHubAccount
  redirectUri: string
  scopes: string[]
  challenge: string | null
  until: number
}

export interface InstallationToken {
  installation: Installation
  permissions: Permissions
  /** Ids of repositories; undefined for all of the installation. */
  only: Set<number> | undefined
  until: number
}

export interface CommitStatus {
  id: number
  repository: string
  sha: string
  state: string
  context: string
  description: string | null
  target_url: string | null
  creator: string
}

export type State = ReturnType<typeof makeState>

/** All that the fake knows; `folder` holds the bare repositories. */
export function makeState(url: string, folder: string) {
  let lastId = 1000
  const repositories: Repository[] = []
  const statuses: CommitStatus[] = []
  const apps: App[] = []
  return {
    url,
    folder,
    apps,
    accounts: new Map<string, GitHubAccount>(),
    installations: new Map<number, Installation>(),
    repositories,
    /** Renamed repositories by their former names in lower case. */
    formerNames: new Map<string, Repository>(),
    statuses,
    codes: new Map<string, Grant>(),
    userTokens: new Map<string, Grant>(),
    installationTokens: new Map<string, InstallationToken>(),
    /** Apps created from a manifest whose keys were not fetched yet, by code. */
    conversions: new Map<string, App>(),
    /** Download links of Git LFS. */
    media: new Map<string, { file: string; until: number }>(),
    /** Bandwidth of git fetches. */
    bytesPerSecond: Infinity,
    limit: startRateLimit(5000),
    nextId: () => ++lastId,
  }
}

const sharedKeys = new Map<boolean, string>()

/** Generating a key is slow, so keys are short and shared: one for preconfigured Apps, one for Apps from manifests. */
function privateKey(isPreconfigured: boolean): string {
  const existing = sharedKeys.get(isPreconfigured)
  if (existing) return existing
  const pair = generateKeyPairSync('rsa', { modulusLength: 1024 })
  const pem = pair.privateKey.export({ type: 'pkcs1', format: 'pem' }).toString()
  sharedKeys.set(isPreconfigured, pem)
  return pem
}

type AppFields = 'name' | 'owner' | 'public' | 'callbacks' | 'hookUrl' | 'permissions' | 'events'

/** Adds an App; with `clientId` it is the preconfigured one. */
export function addApp(state: State, given: Pick<App, AppFields>, clientId?: string): App {
  const pem = privateKey(clientId !== undefined)
  const app = {
    ...given,
    id: state.nextId(),
    slug: given.name.toLowerCase().replace(/[^a-z0-9]+/g, '-'),
    client: { id: clientId ?? newSecret('Iv23li'), secret: newSecret() },
    webhookSecret: newSecret(),
    pem,
    publicKey: createPublicKey(pem),
    attempts: [],
  }
  state.apps.push(app)
  return app
}

/** Installs an App on an account, for all of its repositories or these. */
export function install(state: State, app: App, account: GitHubAccount, repositories: 'all' | string[]) {
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

export const newSecret = (prefix = '') => `${prefix}${randomBytes(18).toString('hex')}`

export const findRepository = (state: State, fullName: string) =>
  state.repositories.find(({ fullName: name }) => name.toLowerCase() === fullName.toLowerCase())

export const seesRepository = ({ account, selection, selected }: Installation, repository: Repository) =>
  repository.owner === account && (selection === 'all' || selected.has(repository.name))
