import { fetchFailureMessage } from './build-failure.ts'
import { Problem } from '../../../errors.ts'
import { emit } from '../../../events.ts'
import { allSettledOrThrow } from '../../../platform/async.ts'
import { buildLimits } from '../../applications/review/limits.ts'
import { type Commit, readBranch } from '../../integrations/repository.ts'
import { findReusableImage, runSource, sourceParts } from './run-source.ts'
import { buildMessage } from '../run/choose-release.ts'
import {
  DeploymentEnded,
  DeploymentFailed,
  nudgeDeployment,
  reloadDeployment,
  writeWithLease,
} from '../run/deployment-run.ts'
import { errorLogLines, type FollowedWork } from '../run/followed-work.ts'
import { type Deployment, updateDeployment } from '../run/store.ts'
import {
  buildWork,
  type CommitRun,
  fetchMinutes,
  type RepositoryRun,
  requireIntegration,
  retryWhenRateLimited,
} from './source-work.ts'
import { applicationTarget } from '../../applications/application.ts'

export async function fetchSource(run: RepositoryRun): Promise<Commit> {
  const deployment = await reloadDeployment(run)
  const commit = await resolveCommit(run, deployment)
  const { sha, message, author } = commit
  run.log.write(`Commit ${sha.slice(0, 7)}${message ? `: ${message}` : ''}${author ? ` (${author})` : ''}`)
  const same = await findReusableImage(run, sha)
  const saved = run.stepEntered.then(() => saveCommit(run, deployment, commit, { isBegun: !same }))
  if (same) {
    await saved
    return commit
  }
  const committed = { ...run, commit }
  const fetched = runSource(committed, { until: sourceParts.build, after: saved })
  await allSettledOrThrow([saved, fetched])
  assertFetched(committed, await fetched)
  return commit
}

async function resolveCommit(run: RepositoryRun, deployment: Deployment): Promise<Commit> {
  const { commit: requested } = deployment
  if (requested && isSaved(run, deployment)) return requested
  // A tag does not move.
  const isFixed = requested !== null && requested.branch !== run.build.branch
  return isFixed ? requested : findHead(run, requested)
}

const isSaved = ({ build }: RepositoryRun, { commit, tag }: Deployment) =>
  commit !== null && tag === builtImageName(build.repository, commit)

async function findHead(run: RepositoryRun, requested: Commit | null): Promise<Commit> {
  const { ctx, log } = run
  const { repository, branch } = run.build
  try {
    const { head, isSkipped } = await retryWhenRateLimited(run, async () =>
      readBranch(ctx, await requireIntegration(run, run.build), run.build, branch),
    )
    if (!requested || !isSkipped) return head
    log.write('The latest commit has [skip deploy]. Building the previous push instead.')
    return requested
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    if (error.status === 404)
      throw new DeploymentFailed(
        `The branch ${branch} of ${repository} does not exist, or Slipway has no access to it. Choose another branch in the settings, or grant access on GitHub; then deploy again.`,
      )
    if (!requested || error.code === 'github_access_lost') throw new DeploymentFailed(error.message)
    log.write(`${error.message} Building the pushed commit.`)
    return requested
  }
}

/** Saves the commit, and that the server may hold leftovers of the build until they are removed. */
async function saveCommit(
  run: RepositoryRun,
  deployment: Deployment,
  commit: Commit,
  { isBegun }: { isBegun: boolean },
): Promise<void> {
  const { application, build } = run
  const { workspace_id, id, followed } = deployment
  const message = buildMessage(build, commit)
  const changes = {
    ...(!isSaved(run, deployment) && {
      commit: JSON.stringify(commit),
      message,
      tag: builtImageName(build.repository, commit),
    }),
    ...(isBegun && followed === null && { followed: JSON.stringify({ work: buildWork(id), offset: 0 }) }),
  }
  if (Object.keys(changes).length === 0) return
  await writeWithLease(run, async (trx) => {
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
    await nudgeDeployment(trx, run)
  })
}

export const builtImageName = (repository: string, { sha }: Commit) => `${repository}@${sha.slice(0, 7)}`

/** Throws if the fetch failed; the next step reports the build. */
export function assertFetched(run: CommitRun, { part, finish, lines }: FollowedWork): void {
  if (part !== sourceParts.fetch || !finish) return
  const { build, commit } = run
  const output = lines[sourceParts.fetch] ?? []
  const why = fetchFailureMessage(finish, {
    server: run.server().name,
    repository: build.repository,
    sha: commit.sha,
    lines: output,
    minutes: fetchMinutes,
    memory: buildLimits(run.server(), build).memory,
  })
  throw new DeploymentFailed(why, output.slice(-errorLogLines))
}
