import { grantsServerAccess, railpackRefusal } from '../applications/railpack.ts'
import { findRelease } from '../applications/release.ts'
import type { Commit } from '../integrations/repository.ts'
import {
  DeploymentFailed,
  type DeploymentRun,
  type ReleaseRun,
  step,
  toRunScope,
} from './run/deployment-run.ts'
import { loadReleaseRun, requestedConfig } from './run/release-run.ts'
import { buildSource } from './source/build-source.ts'
import { fetchSource } from './source/fetch-source.ts'
import {
  clearEarlierSources,
  clearSource,
  findDockerRoot,
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
  return { ...run, build, sourceWork: new SourceWork() }
}

function savedCommit({ deployment: { commit } }: DeploymentRun): Commit {
  if (!commit) throw new Error('The commit is saved by the fetch step.')
  return commit
}

/** Runs all checks that need no change on the server. */
async function checkServer(run: RepositoryRun): Promise<void> {
  await waitForSetup(run)
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
  const space = await readFreeSpace(run, await findDockerRoot(run))
  const why = freeSpaceProblem(run.server().name, space, true)
  if (why !== undefined) throw new DeploymentFailed(why)
}

/** Stops the build of a failed or completed deployment and removes its files from the server. */
export const discardRepositoryBuild = (run: DeploymentRun) => clearSource(toRunScope(run), run.deployment.id)
