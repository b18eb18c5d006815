import { Problem } from '../../errors.ts'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { grantsServerAccess, railpackRefusal } from '../applications/railpack.ts'
import { findRelease } from '../applications/release.ts'
import { type Commit, refreshRepository } from '../integrations/repository.ts'
import { DeploymentFailed, type DeploymentRun, type ReleaseRun, toRunScope } from './run/deployment-run.ts'
import { loadReleaseRun, requestedConfig } from './run/release-run.ts'
import { step } from './run/step.ts'
import { buildSource } from './source/build-source.ts'
import { fetchSource } from './source/fetch-source.ts'
import { githubQueries, requireIntegration } from './source/github-queries.ts'
import {
  clearEarlierSources,
  clearSource,
  defaultDockerRoot,
  findDockerRoot,
  minFreeKib,
  type RepositoryRun,
  SourceWork,
} from './source/source-work.ts'
import {
  checkDocker,
  checkHostAccess,
  checkPorts,
  checkProxy,
  cleanUpEarlier,
  freeSpaceProblem,
  readFreeSpace,
  waitForSetup,
} from './steps/check.ts'
import { startContainers } from './steps/start.ts'
import { switchTraffic } from './steps/switch-traffic.ts'
import { checkHealth } from './steps/wait-until-healthy.ts'

/** Builds a commit of a repository and deploys its image. */
export async function deployRepository(given: DeploymentRun): Promise<ReleaseRun> {
  const run = openRepository(given)
  try {
    await step(run, 'check', checkServer)
    const commit = (await step(run, 'fetch', fetchSource)) ?? savedCommit(run)
    const release = (await step({ ...run, commit }, 'build', buildSource)) ?? (await loadReleaseRun(run))
    await step(release, 'start', startContainers)
    await step(release, 'wait', checkHealth)
    await step(release, 'switch', switchTraffic)
    return release
  } finally {
    await run.sourceWork.stopFollowing()
  }
}

function openRepository(run: DeploymentRun): RepositoryRun {
  const { build } = requestedConfig(run)
  if (!build) throw new Error('A deployment of a repository knows how it is built.')
  return { ...run, build, github: githubQueries(run, build), sourceWork: new SourceWork() }
}

function savedCommit({ deployment: { commit } }: DeploymentRun): Commit {
  if (!commit) throw new Error('The commit is saved by the fetch step.')
  return commit
}

/** Runs all checks that need no change on the server. */
async function checkServer(run: RepositoryRun): Promise<void> {
  await waitForSetup(run)
  run.github.prefetch()
  await Promise.all([
    checkDocker(run),
    checkSpaceToBuild(run),
    checkProxy(run),
    checkPorts(run),
    checkBuilder(run),
    checkHostAccess(run),
    cleanUpEarlier(run, () => clearEarlierSources(toRunScope(run), run.deployment.id)),
  ])
}

/** Railpack runs repository code as root, so an admin approves it once. */
async function checkBuilder({ ctx, application, build, deployment }: RepositoryRun): Promise<void> {
  if (deployment.may_empower) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  if (grantsServerAccess(build, live?.config.build)) throw new DeploymentFailed(railpackRefusal)
}

async function checkSpaceToBuild(run: RepositoryRun): Promise<void> {
  // Docker nearly always uses the default folder, so read it without waiting for the answer.
  const [usual, folder] = await Promise.all([readFreeSpace(run, defaultDockerRoot), findDockerRoot(run)])
  const space = folder === defaultDockerRoot ? usual : await readFreeSpace(run, folder)
  const why = freeSpaceProblem(run.server().name, space, true)
  if (why !== undefined) throw new DeploymentFailed(why)
  if (!space.isFetched) await warnOfSize(run, space.free)
}

/**
 * Compares twice the size on GitHub (packed and checked out) with the free space. The size includes the
 * history while only one commit is fetched, so this is a warning.
 */
async function warnOfSize(run: RepositoryRun, free: number): Promise<void> {
  const size = await repositorySize(run)
  const needed = size * 1024 * 2
  if (needed + minFreeKib * 1024 > free)
    run.log.write(
      `Warning: ${run.build.repository} is about ${formatBytes(size * 1024)} with its history, and ${run.server().name} has ${formatBytes(free)} free. The fetch fails if the latest commit alone is too large.`,
    )
}

/** Size in kilobytes; 0 if GitHub does not answer, because the fetch reports its own errors. */
async function repositorySize(run: RepositoryRun): Promise<number> {
  try {
    return (await refreshRepository(run.ctx, await requireIntegration(run, run.build), run.build)).size
  } catch (error) {
    if (error instanceof Problem) return 0
    throw error
  }
}

/** Stops the build of a failed or completed deployment and removes its files from the server. */
export const discardRepositoryBuild = (run: DeploymentRun) => clearSource(toRunScope(run), run.deployment.id)
