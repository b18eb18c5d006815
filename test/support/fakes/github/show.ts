import { type Repository, gitText } from './bare.ts'
import type { App, GitHubAccount, Installation, State } from './state.ts'

const nodeId = (type: string, id: number) => Buffer.from(`${type}${id}`).toString('base64')

/** GitHub writes times without fractions of a second. */
export const formatTime = (time: Date) => `${time.toISOString().slice(0, 19)}Z`

export const showAccount = (state: State, { id, login, type }: GitHubAccount) => ({
  login,
  id,
  node_id: nodeId(type, id),
  avatar_url: `${state.url}/avatars/u/${id}?v=4`,
  url: `${state.url}/users/${login}`,
  html_url: `${state.url}/${login}`,
  type,
  site_admin: false,
})

export const showApp = (state: State, { id, name, slug, client, owner, permissions, events }: App) => ({
  id,
  node_id: nodeId('App', id),
  client_id: client.id,
  slug,
  owner: showAccount(state, owner),
  name,
  description: null,
  external_url: 'http://slipway.test',
  html_url: `${state.url}/apps/${slug}`,
  permissions,
  events,
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05Z',
})

export function showInstallation(state: State, installation: Installation) {
  const { id, app, account, selection, permissions, createdAt, suspendedAt } = installation
  const owner = account.type === 'User' ? '' : `/organizations/${account.login}`
  return {
    id,
    account: showAccount(state, account),
    repository_selection: selection,
    access_tokens_url: `${state.url}/app/installations/${id}/access_tokens`,
    repositories_url: `${state.url}/installation/repositories`,
    html_url: `${state.url}${owner}/settings/installations/${id}`,
    app_id: app.id,
    app_slug: app.slug,
    target_id: account.id,
    target_type: account.type,
    permissions,
    events: app.events,
    created_at: formatTime(createdAt),
    updated_at: formatTime(createdAt),
    suspended_at: suspendedAt && formatTime(suspendedAt),
    suspended_by: null,
    single_file_name: null,
  }
}

export const showRepository = (state: State, repository: Repository) => ({
  id: repository.id,
  node_id: nodeId('Repository', repository.id),
  name: repository.name,
  full_name: repository.fullName,
  private: repository.private,
  owner: showAccount(state, repository.owner),
  html_url: `${state.url}/${repository.fullName}`,
  clone_url: `${state.url}/${repository.fullName}.git`,
  description: repository.description,
  fork: false,
  archived: false,
  url: `${state.url}/repos/${repository.fullName}`,
  default_branch: repository.defaultBranch,
  size: repository.size ?? 1,
  pushed_at: formatTime(repository.pushedAt),
  visibility: repository.private ? 'private' : 'public',
})

export async function showCommit(state: State, { path, fullName }: Repository, sha: string) {
  const output = await gitText(path, 'show', '--no-patch', '--format=%an%n%ae%n%aI%n%B', sha)
  const [name = '', email = '', date = '', ...message] = output.split('\n')
  const account = [...state.accounts.values()].find(({ emails }) => emails.some((one) => one.email === email))
  return {
    sha,
    html_url: `${state.url}/${fullName}/commit/${sha}`,
    commit: { author: { name, email, date: formatTime(new Date(date)) }, message: message.join('\n').trim() },
    author: account ? showAccount(state, account) : null,
  }
}
