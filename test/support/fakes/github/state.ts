import { randomBytes } from 'node:crypto'
import type { App } from './apps.ts'
import type { Repository } from './bare.ts'

export interface GitHubAccount {
  id: number
  login: string
  name: string | null
  type: 'User' | 'Organization'
  emails: { email: string; primary: boolean; verified: boolean }[]
  /** Of an organisation: who belongs to it, and as what. */
  members: Record<string, 'admin' | 'member'>
}

export type Permissions = Record<string, 'read' | 'write'>

export interface Installation {
  id: number
  app: App
  account: GitHubAccount
  selection: 'all' | 'selected'
  /** Names without the owner, where only some are selected. */
  selected: Set<string>
  permissions: Permissions
  createdAt: Date
  suspendedAt: Date | null
}

/** A person at the browser let an app know who they are. */
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
  /** Ids of repositories; undefined for all that the installation sees. */
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

/** All that the fake knows. */
export interface State {
  url: string
  /** Where the bare repositories lie. */
  folder: string
  apps: App[]
  accounts: Map<string, GitHubAccount>
  installations: Map<number, Installation>
  repositories: Repository[]
  /** A name that a repository had before, in lower case. */
  formerNames: Map<string, Repository>
  statuses: CommitStatus[]
  codes: Map<string, Grant>
  userTokens: Map<string, Grant>
  installationTokens: Map<string, InstallationToken>
  /** Codes of apps that were made from a manifest and not fetched yet. */
  conversions: Map<string, App>
  /** Files of Git LFS that somebody may fetch, by the key in their address. */
  media: Map<string, { place: string; until: number }>
  /** How fast repositories are sent, where that is bounded. */
  bytesPerSecond: number
  rate: { limit: number; remaining: number; reset: number; retryAfter: number | undefined }
  nextId(): number
}

export const newSecret = (prefix = '') => `${prefix}${randomBytes(18).toString('hex')}`

export const findRepository = (state: State, fullName: string) =>
  state.repositories.find(({ fullName: name }) => name.toLowerCase() === fullName.toLowerCase())

export const seesRepository = ({ account, selection, selected }: Installation, repository: Repository) =>
  repository.owner === account && (selection === 'all' || selected.has(repository.name))
