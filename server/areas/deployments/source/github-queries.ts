import { setTimeout as sleep } from 'node:timers/promises'
import type { BuildConfig } from '../../../tables.ts'
import { GitHubRateLimited } from '../../auth/github-errors.ts'
import { findIntegration, type Integration } from '../../integrations/integration.ts'
import {
  refreshRepository,
  contentsAccess,
  readBranch,
  type Repository,
} from '../../integrations/repository.ts'
import { getInstallationToken } from '../../integrations/installation-token.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'

export interface GitHubQueries {
  /** Starts the first two queries while the server is being checked; they share a token with the fetch. */
  prefetch: () => void
  branch: () => ReturnType<typeof readBranch>
  repository: () => Promise<Repository>
  /** Read-only and valid for an hour; submodules may need other repositories of the account. */
  token: () => Promise<string>
}

export function githubQueries(run: DeploymentRun, build: BuildConfig): GitHubQueries {
  const { ctx } = run
  const scope = build.submodules ? { permissions: { contents: 'read' as const } } : contentsAccess(build)
  const branch = prefetchable(async () =>
    readBranch(ctx, await requireIntegration(run, build), build, build.branch),
  )
  const repository = prefetchable(async () =>
    refreshRepository(ctx, await requireIntegration(run, build), build),
  )
  return {
    prefetch() {
      branch.start()
      repository.start()
    },
    branch: () => branch.ask(),
    repository: () => repository.ask(),
    token: async () => getInstallationToken(ctx, await requireIntegration(run, build), scope),
  }
}

/** The first `ask` returns the query that was started; later ones query again. */
function prefetchable<T>(query: () => Promise<T>) {
  let first: Promise<T> | undefined
  return {
    start() {
      first ??= query()
      // The caller of `ask` handles the error.
      first.catch(() => {})
    },
    ask(): Promise<T> {
      const asked = first ?? query()
      first = undefined
      return asked
    },
  }
}

export async function requireIntegration(
  { ctx, application }: DeploymentRun,
  { integration_id: id, repository }: BuildConfig,
): Promise<Integration> {
  const integration = id && (await findIntegration(ctx.db, application.workspace_id, id))
  if (!integration)
    throw new DeploymentFailed(
      `The GitHub account for ${repository} was disconnected. Connect it again under Integrations, then deploy again.`,
    )
  return integration
}

const maxWait = 60 * 60_000

/** Waits out GitHub rate limits. */
export async function retryWhenRateLimited<T>(run: DeploymentRun, ask: () => Promise<T>): Promise<T> {
  const { log, signal } = run
  const began = Date.now()
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof GitHubRateLimited)) throw error
      const pause = Math.max(1_000, error.retryAt.getTime() - Date.now())
      if (Date.now() - began + pause > maxWait) throw error
      log.write(`GitHub rate limit reached. Waiting until ${error.retryAt.toISOString().slice(11, 19)} UTC.`)
      await log.flush()
      await sleep(pause, undefined, { signal })
    }
  }
}
