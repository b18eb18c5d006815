import type { App } from './apps.ts'
import type { GitHubAccount, Installation, State } from './state.ts'

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
