import { setTimeout as sleep } from 'node:timers/promises'
import { Problem } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import type { BuildConfig } from '../../../tables.ts'
import { applicationTarget } from '../../applications/application.ts'
import { GitHubLimited } from '../../auth/github-errors.ts'
import type { Commit } from '../../integrations/repository.ts'
import { githubQueries } from './github-queries.ts'
import {
  type DeploymentRun,
  DeploymentFailed,
  DeploymentEnded,
  nudgeDeployment,
  writeWithLease,
} from '../run/deployment-run.ts'
import { buildMessage } from './build-message.ts'
import { buildConfig, buildWork } from './source-work.ts'
import { updateDeployment } from '../run/store.ts'

const maxWait = 60 * 60_000

/** Resolves the head of the branch, even if a push requested an older commit. */
export async function resolveCommit(attempt: DeploymentRun): Promise<Commit> {
  const build = buildConfig(attempt)
  const { commit: asked } = attempt.deployment
  if (asked && isSaved(attempt)) return asked
  // A tag does not move.
  const isFixed = asked !== null && asked.branch !== build.branch
  return isFixed ? asked : findHead(attempt, build, asked)
}

/** Whether the commit was saved, so that a later worker builds the same. */
function isSaved(attempt: DeploymentRun): boolean {
  const { commit, tag } = attempt.deployment
  return commit !== null && tag === builtImageName(buildConfig(attempt).repository, commit)
}

async function findHead(attempt: DeploymentRun, build: BuildConfig, asked: Commit | null): Promise<Commit> {
  const { log } = attempt
  const { repository, branch } = build
  try {
    const { head, isSkipped } = await retryWhenRateLimited(attempt, githubQueries(attempt).branch)
    if (!asked || !isSkipped) return head
    log.write('The latest commit has [skip deploy]. Building the previous push instead.')
    return asked
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404)
      throw new DeploymentFailed(
        `The branch ${branch} of ${repository} does not exist, or Slipway has no access to it. Choose another branch in the settings, or grant access on GitHub; then deploy again.`,
      )
    if (!asked || error.code === 'github_access_lost') throw new DeploymentFailed(error.message)
    log.write(`${error.message} Building the pushed commit.`)
    return asked
  }
}

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

/** Saves the commit, and that the server may hold leftovers of the build until they are removed. */
export async function saveCommit(
  attempt: DeploymentRun,
  commit: Commit,
  { isBegun }: { isBegun: boolean },
): Promise<void> {
  const { application, deployment } = attempt
  const { workspace_id, id, followed } = deployment
  const build = buildConfig(attempt)
  const message = buildMessage(build, commit)
  const changes = {
    ...(!isSaved(attempt) && {
      commit: JSON.stringify(commit),
      message,
      tag: builtImageName(build.repository, commit),
    }),
    ...(isBegun && followed === null && { followed: JSON.stringify({ work: buildWork(id), offset: 0 }) }),
  }
  if (Object.keys(changes).length === 0) return
  attempt.deployment = await writeWithLease(attempt, async (trx) => {
    const now = await updateDeployment(trx, workspace_id, id, changes)
    if (!now) throw new DeploymentEnded()
    if (deployment.commit?.sha !== commit.sha)
      await emit(
        trx,
        'slipway',
        workspace_id,
        'deployment.commit_found',
        { ...applicationTarget(application), about: id },
        message,
      )
    await nudgeDeployment(trx, attempt)
    return now
  })
}

export const builtImageName = (repository: string, { sha }: Commit) => `${repository}@${sha.slice(0, 7)}`
