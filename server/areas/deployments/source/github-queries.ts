import { setTimeout as sleep } from 'node:timers/promises'
import { GitHubLimited } from '../../auth/github-errors.ts'
import { findIntegration, type Integration } from '../../integrations/integration.ts'
import { lookUp, ofContents, readBranch, type Repository } from '../../integrations/repository.ts'
import { tokenFor } from '../../integrations/token.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
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

export async function requireIntegration(attempt: DeploymentRun): Promise<Integration> {
  const { ctx, application } = attempt
  const { integration_id: id, repository } = buildConfig(attempt)
  const integration = id && (await findIntegration(ctx.db, application.workspace_id, id))
  if (!integration)
    throw new DeploymentFailed(
      `The GitHub account for ${repository} was disconnected. Connect it again under Integrations, then deploy again.`,
    )
  return integration
}

const maxWait = 60 * 60_000

/** Waits out GitHub rate limits. */
export async function retryWhenRateLimited<T>(attempt: DeploymentRun, ask: () => Promise<T>): Promise<T> {
  const { log, signal } = attempt
  const began = Date.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof GitHubLimited)) throw error
      const pause = Math.max(1_000, error.retryAt.getTime() - Date.now())
      if (Date.now() - began + pause > maxWait) throw error
      log.write(`GitHub rate limit reached. Waiting until ${error.retryAt.toISOString().slice(11, 19)} UTC.`)
      await log.flush()
      await sleep(pause, undefined, { signal })
    }
  }
}
