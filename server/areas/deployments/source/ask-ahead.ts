import { lookUp, ofContents, readBranch, type Repository } from '../../integrations/repository.ts'
import { tokenFor } from '../../integrations/token.ts'
import type { Attempt } from '../run/attempt.ts'
import { integrationOf } from './integration-of.ts'
import { buildOf } from './source-work.ts'

/** What GitHub is asked for before anything can be fetched. */
export interface AtGitHub {
  branch: () => ReturnType<typeof readBranch>
  repository: () => Promise<Repository>
  /** It lets nobody do more than read, for an hour at most; submodules may be in other repositories of the account. */
  token: () => Promise<string>
}

/** Asked when it is needed. */
export function atGitHub(attempt: Attempt): AtGitHub {
  const { ctx } = attempt
  const build = buildOf(attempt)
  const scope = build.submodules ? { permissions: { contents: 'read' as const } } : ofContents(build)
  return (attempt.atGitHub ??= {
    branch: async () => readBranch(ctx, await integrationOf(attempt), build, build.branch),
    repository: async () => lookUp(ctx, await integrationOf(attempt), build),
    token: async () => tokenFor(ctx, await integrationOf(attempt), scope),
  })
}

/** Both at once, and now: the server is looked at meanwhile. A token that serves for the one serves for the fetch as well. */
export function askAhead(attempt: Attempt): void {
  const { branch, repository, token } = atGitHub(attempt)
  attempt.atGitHub = { branch: begun(branch), repository: begun(repository), token }
}

/** Who asks first gets what was begun; who asks again asks anew. */
function begun<T>(ask: () => Promise<T>): () => Promise<T> {
  let first: Promise<T> | undefined = ask()
  // Whoever asks hears of it.
  first.catch(() => {})
  return () => {
    const asked = first ?? ask()
    first = undefined
    return asked
  }
}
