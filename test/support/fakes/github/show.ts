import type { App } from './apps.ts'
import { type Repository, gitText } from './bare.ts'
import type { GitHubAccount, Installation, State } from './state.ts'

export const showAccount = (state: State, { id, login, type }: GitHubAccount) => ({
  login,
  id,
  node_id: Buffer.from(`${type}${id}`).toString('base64'),
  avatar_url: `${state.url}/avatars/u/${id}?v=4`,
  url: `${state.url}/users/${login}`,
  html_url: `${state.url}/${login}`,
  type,
  site_admin: false,
})

export const showApp = (state: State, app: App) => ({
  id: app.id,
  node_id: Buffer.from(`App${app.id}`).toString('base64'),
  client_id: app.client.id,
  slug: app.slug,
  owner: showAccount(state, app.owner),
  name: app.name,
  description: null,
  external_url: 'http://slipway.test',
  html_url: `${state.url}/apps/${app.slug}`,
  permissions: app.permissions,
  events: app.events,
  created_at: '2026-01-02T03:04:05Z',
  updated_at: '2026-01-02T03:04:05Z',
})

export const showInstallation = (state: State, installation: Installation) => ({
  id: installation.id,
  account: showAccount(state, installation.account),
  repository_selection: installation.selection,
  access_tokens_url: `${state.url}/app/installations/${installation.id}/access_tokens`,
  repositories_url: `${state.url}/installation/repositories`,
  html_url:
    installation.account.type === 'User'
      ? `${state.url}/settings/installations/${installation.id}`
      : `${state.url}/organizations/${installation.account.login}/settings/installations/${installation.id}`,
  app_id: installation.app.id,
  app_slug: installation.app.slug,
  target_id: installation.account.id,
  target_type: installation.account.type,
  permissions: installation.permissions,
  events: installation.app.events,
  created_at: seconds(installation.createdAt),
  updated_at: seconds(installation.createdAt),
  suspended_at: installation.suspendedAt && seconds(installation.suspendedAt),
  suspended_by: null,
  single_file_name: null,
})

/** GitHub tells times without fractions of a second. */
export const seconds = (time: Date) => `${time.toISOString().slice(0, 19)}Z`

export const showRepository = (state: State, repository: Repository) => ({
  id: repository.id,
  node_id: Buffer.from(`Repository${repository.id}`).toString('base64'),
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
  pushed_at: seconds(repository.pushedAt),
  visibility: repository.private ? 'private' : 'public',
})

export async function showCommit(state: State, repository: Repository, sha: string) {
  const said = await gitText(repository.path, 'show', '--no-patch', '--format=%T%n%P%n%an%n%ae%n%aI%n%B', sha)
  const [tree = '', parents = '', name = '', email = '', date = '', ...message] = said.split('\n')
  const author = { name, email, date: seconds(new Date(date)) }
  const account = [...state.accounts.values()].find(({ emails }) => emails.some((one) => one.email === email))
  return {
    sha,
    url: `${state.url}/repos/${repository.fullName}/commits/${sha}`,
    html_url: `${state.url}/${repository.fullName}/commit/${sha}`,
    commit: {
      author,
      committer: author,
      message: message.join('\n').trim(),
      tree: { sha: tree, url: `${state.url}/repos/${repository.fullName}/git/trees/${tree}` },
      comment_count: 0,
    },
    author: account ? showAccount(state, account) : null,
    committer: account ? showAccount(state, account) : null,
    parents: parents
      .split(' ')
      .filter(Boolean)
      .map((parent) => ({ sha: parent })),
  }
}
