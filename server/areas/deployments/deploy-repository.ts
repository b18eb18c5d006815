import { grantsServerAccess, railpackRefusal } from '../applications/host-access.ts'
import { findRelease, type Release } from '../applications/release.ts'
import type { Commit } from '../integrations/repository.ts'
import {
  DeploymentFailed,
  type DeploymentRun,
  type ReleaseRun,
  step,
  toRunScope,
} from './run/deployment-run.ts'
import {
  createRelease,
  findSavedRelease,
  loadReleaseRun,
  prepareRelease,
  requestedConfig,
} from './run/release-run.ts'
import { assertFetched, builtImageName, fetchSource, runSource, sourceParts } from './source/fetch-source.ts'
import {
  buildFingerprint,
  findBuiltImage,
  findReusableImage,
  buildCommand,
  generateRecipe,
  listBuildSecrets,
} from './source/build-command.ts'
import {
  clearEarlierSources,
  clearSource,
  type CommitRun,
  exitCodes,
  findDockerRoot,
  generatedWork,
  lockTimeoutSeconds,
  maxOutputBytes,
  type RepositoryRun,
  SourceWork,
} from './source/source-work.ts'
import {
  checkDocker,
  checkHostAccess,
  checkPorts,
  cleanUpEarlier,
  freeSpaceProblem,
  readFreeSpace,
  prepareServer,
} from './steps/check.ts'
import { startContainers } from './steps/start.ts'
import { switchTraffic } from './steps/switch-traffic.ts'
import { checkHealth } from './steps/wait-until-healthy.ts'
import { buildLimits } from '../applications/source.ts'
import { assertCompatible, type ImageFacts } from './images/ensure-image.ts'
import { errorLogLines, type FinishedWork, runFollowedWork } from './run/detached-work.ts'
import { repositoryBuildFailureMessage } from './source/build-failure.ts'

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
  if (!build) throw new Error('The deployment has no build configuration.')
  return { ...run, build, sourceWork: new SourceWork() }
}

function savedCommit({ deployment: { commit } }: DeploymentRun): Commit {
  if (!commit) throw new Error('The fetch step has not saved a commit.')
  return commit
}

async function checkServer(run: RepositoryRun): Promise<void> {
  await prepareServer(run)
  await Promise.all([
    checkDocker(run),
    checkSpaceToBuild(run),
    checkPorts(run),
    checkBuilder(run),
    checkHostAccess(run),
    cleanUpEarlier(run, () => clearEarlierSources(toRunScope(run), run.deployment.id)),
  ])
}

/** Railpack runs repository code as root, so an admin approves it once. */
async function checkBuilder({ ctx, application, build, deployment }: RepositoryRun): Promise<void> {
  if (deployment.allow_host_access) return
  const { workspace_id, release_id } = application
  const live = release_id ? await findRelease(ctx.db, workspace_id, release_id) : undefined
  if (grantsServerAccess(build, live?.config.build)) throw new DeploymentFailed(railpackRefusal)
}

async function checkSpaceToBuild(run: RepositoryRun): Promise<void> {
  const space = await readFreeSpace(run, await findDockerRoot(run))
  const reason = freeSpaceProblem(run.server().name, space, true)
  if (reason !== undefined) throw new DeploymentFailed(reason)
}

export const discardRepositoryBuild = (run: DeploymentRun) => clearSource(toRunScope(run), run.deployment.id)

async function buildSource(run: CommitRun): Promise<ReleaseRun> {
  const release = (await findSavedRelease(run)) ?? (await buildRelease(run))
  return prepareRelease(run, release)
}

async function buildRelease(run: CommitRun): Promise<Release> {
  const { build, commit, log, sourceWork } = run
  const same = sourceWork.followed ? undefined : await findReusableImage(run, commit.sha)
  if (same)
    log.write(`Reusing the image of release ${same.release.number}: nothing has changed since it was built`)
  const image = same?.image ?? (await buildImage(run))
  const name = builtImageName(build.repository, commit)
  assertCompatible(run, image, name)
  const release = await createRelease(run, {
    config: requestedConfig(run),
    image: name,
    image_id: image.Id,
    digest: null,
    commit,
    mark: buildFingerprint(run, commit.sha),
  })
  log.write(`Release ${release.number} created: ${name} (${image.Id.slice(7, 19)})`)
  return release
}

async function buildImage(run: CommitRun): Promise<ImageFacts> {
  await run.stepEntered
  const { finish, lines } = await finishBuild(run)
  const isThrough = finish.reason === 'vanished' || (finish.reason === 'ended' && finish.code === 0)
  const image = isThrough ? await findBuiltImage(run) : undefined
  if (image) return image
  const reason = repositoryBuildFailureMessage(finish, {
    server: run.server().name,
    build: run.build,
    limits: buildLimits(run.server(), run.build),
    lines,
  })
  throw new DeploymentFailed(reason, lines.slice(-errorLogLines))
}

async function finishBuild(run: CommitRun): Promise<FinishedWork> {
  const { build, deployment } = run
  const isLogged = run.log.offsetOf(generatedWork(deployment.id)) > 0
  if (!isLogged) {
    const source = await runSource(run)
    const { finish, lines } = source
    if (!finish) throw new Error('The detached work has not finished.')
    assertFetched(run, source)
    // Generates a Dockerfile only once it is known that the repository has none.
    if (finish.code !== exitCodes.noDockerfile || build.builder !== 'auto')
      return { finish, lines: lines[sourceParts.build] ?? [] }
  }
  const [recipe, images] = await Promise.all([generateRecipe(run, { isLogged }), findDockerRoot(run)])
  const work = {
    id: generatedWork(deployment.id),
    command: buildCommand(run, recipe, images),
    // The script enforces both timeouts and reports which one expired.
    limitSeconds: build.build_minutes * 60 + lockTimeoutSeconds + 300,
    maxBytes: maxOutputBytes,
  }
  return runFollowedWork(run, work, { prefixes: ['build: '], secrets: listBuildSecrets(run) })
}
