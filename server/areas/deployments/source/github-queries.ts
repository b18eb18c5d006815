import { lookUp, ofContents, readBranch, type Repository } from '../../integrations/repository.ts'
import { tokenFor } from '../../integrations/token.ts'
import type { DeploymentRun } from '../run/deployment-run.ts'
import { requireIntegration } from './require-integration.ts'
import { buildConfig } from './source-work.ts'

export interface GitHubQueries {
  branch: () => ReturnType<typeof readBranch>
  repository: () => Promise<Repository>
  /** Read-only and valid for an hour; submodules may need other repositories of the account. */
  token: () => Promise<string>
}

export function githubQueries(attempt: DeploymentRun): GitHubQueries {
  const { ctx } = attempt
  const build = buildConfig(attempt)
  const scope = build.submodules ? { permissions: { contents: 'read' as const } } : ofContents(build)
  return (attempt.github ??= {
    branch: async () => readBranch(ctx, await requireIntegration(attempt), build, build.branch),
    repository: async () => lookUp(ctx, await requireIntegration(attempt), build),
    token: async () => tokenFor(ctx, await requireIntegration(attempt), scope),
  })
}

/** Starts both queries while the server is being checked; they share a token with the fetch. */
export function prefetchGitHub(attempt: DeploymentRun): void {
  const { branch, repository, token } = githubQueries(attempt)
  attempt.github = { branch: startOnce(branch), repository: startOnce(repository), token }
}

/** The first call returns the started query; later calls query again. */
function startOnce<T>(ask: () => Promise<T>): () => Promise<T> {
  let first: Promise<T> | undefined = ask()
  // The caller handles the error.
  first.catch(() => {})
  return () => {
    const asked = first ?? ask()
    first = undefined
    return asked
  }
}
