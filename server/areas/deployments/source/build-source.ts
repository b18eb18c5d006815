import type { Release } from '../../applications/release.ts'
import { buildLimits } from '../../applications/review/build-limits.ts'
import { assertCompatible, type ImageFacts } from '../images/ensure-image.ts'
import { DeploymentFailed, type ReleaseRun } from '../run/deployment-run.ts'
import { type FinishedWork, runFollowedWork, errorLogLines } from '../run/followed-work.ts'
import { createRelease, findSavedRelease, prepareRelease, requestedConfig } from '../run/release-run.ts'
import { buildCommand, listBuildSecrets, generateRecipe } from './build-command.ts'
import { repositoryBuildFailureMessage } from './build-failure.ts'
import { assertFetched, builtImageName } from './fetch-source.ts'
import { findReusableImage, buildFingerprint, findBuiltImage, sourceParts, runSource } from './run-source.ts'
import {
  type CommitRun,
  exitCodes,
  findDockerRoot,
  generatedWork,
  lockTimeoutSeconds,
  maxOutputBytes,
} from './source-work.ts'

/** Builds the image and creates the release. Idempotent. */
export async function buildSource(run: CommitRun): Promise<ReleaseRun> {
  const release = (await findSavedRelease(run)) ?? (await buildRelease(run))
  return prepareRelease(run, release)
}

async function buildRelease(run: CommitRun): Promise<Release> {
  const { build, commit, log, sourceWork } = run
  // A running build means that there is no reusable image.
  const same = sourceWork.followed ? undefined : await findReusableImage(run, commit.sha)
  if (same)
    log.write(`Reusing the image of release ${same.release.number}: nothing changed since it was built`)
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
  const why = repositoryBuildFailureMessage(finish, {
    server: run.server().name,
    build: run.build,
    limits: buildLimits(run.server(), run.build),
    lines,
  })
  throw new DeploymentFailed(why, lines.slice(-errorLogLines))
}

async function finishBuild(run: CommitRun): Promise<FinishedWork> {
  const { build, deployment } = run
  const isTold = run.log.offsetOf(generatedWork(deployment.id)) > 0
  if (!isTold) {
    const source = await runSource(run)
    const { finish, lines } = source
    if (!finish) throw new Error('Detached work is followed until it ends.')
    assertFetched(run, source)
    // Generates a Dockerfile only once it is known that the repository has none.
    if (finish.code !== exitCodes.noDockerfile || build.builder !== 'auto')
      return { finish, lines: lines[sourceParts.build] ?? [] }
  }
  const [recipe, images] = await Promise.all([generateRecipe(run, { isTold }), findDockerRoot(run)])
  const work = {
    id: generatedWork(deployment.id),
    command: buildCommand(run, recipe, images),
    // The script enforces both timeouts and reports which one expired.
    limitSeconds: build.build_minutes * 60 + lockTimeoutSeconds + 300,
    maxBytes: maxOutputBytes,
  }
  return runFollowedWork(run, work, { prefixes: ['build: '], secrets: listBuildSecrets(run) })
}
