import { buildLimits } from '../../applications/review/build-limits.ts'
import { assertCompatible } from '../images/ensure-image.ts'
import type { ImageFacts } from '../images/find-image.ts'
import { requestedConfig, createRelease } from '../run/create-release.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { type FinishedWork, runWithOneRetry, errorLogLines } from '../run/followed-work.ts'
import { buildCommand, secretsOf, generateRecipe } from './build-command.ts'
import { repositoryBuildFailureMessage } from './build-failure.ts'
import { assertFetched, builtImageName } from './fetch-source.ts'
import { findReusableImage, buildFingerprint, findBuiltImage, sourceParts, runSource } from './run-source.ts'
import { exitCodes, lockTimeoutSeconds } from './source-scripts.ts'
import { findDockerRoot, buildConfig, generatedWork, maxOutputBytes } from './source-work.ts'

/** Builds the image and creates the release. Idempotent. */
export async function buildSource(attempt: DeploymentRun): Promise<void> {
  const { log, commit } = attempt
  if (attempt.release) return
  if (!commit) throw new Error('The commit is found out by the step before.')
  // A running build means that there is no reusable image.
  const same = attempt.sourceWork ? undefined : await findReusableImage(attempt, commit.sha)
  if (same)
    log.write(`Reusing the image of release ${same.release.number}: nothing changed since it was built`)
  const image = same?.image ?? (await build(attempt))
  const name = builtImageName(buildConfig(attempt).repository, commit)
  assertCompatible(attempt, image, name)
  attempt.release = await createRelease(attempt, {
    config: requestedConfig(attempt),
    image: name,
    image_id: image.Id,
    digest: null,
    commit,
    mark: buildFingerprint(attempt, commit.sha),
  })
  log.write(`Release ${attempt.release.number} created: ${name} (${image.Id.slice(7, 19)})`)
}

async function build(attempt: DeploymentRun): Promise<ImageFacts> {
  await attempt.stepEntered
  const { finish, lines } = await run(attempt)
  const isThrough = finish.reason === 'vanished' || (finish.reason === 'ended' && finish.code === 0)
  const image = isThrough ? await findBuiltImage(attempt) : undefined
  if (image) return image
  const why = repositoryBuildFailureMessage(finish, {
    server: attempt.server.name,
    build: buildConfig(attempt),
    limits: buildLimits(attempt.server, buildConfig(attempt)),
    lines,
  })
  throw new DeploymentFailed(why, lines.slice(-errorLogLines))
}

async function run(attempt: DeploymentRun): Promise<FinishedWork> {
  const isTold = attempt.log.offsetOf(generatedWork(attempt.deployment.id)) > 0
  if (!isTold) {
    const source = await runSource(attempt)
    const { finish, lines } = source
    if (!finish) throw new Error('It is followed until it ends.')
    assertFetched(attempt, source)
    // Generates a Dockerfile only once it is known that the repository has none.
    if (finish.code !== exitCodes.noDockerfile || buildConfig(attempt).builder !== 'auto')
      return { finish, lines: lines[sourceParts.build] ?? [] }
  }
  const [recipe, images] = await Promise.all([generateRecipe(attempt, { isTold }), findDockerRoot(attempt)])
  const work = {
    id: generatedWork(attempt.deployment.id),
    command: buildCommand(attempt, recipe, images),
    // The script enforces both timeouts and reports which one expired.
    limitSeconds: buildConfig(attempt).build_minutes * 60 + lockTimeoutSeconds + 300,
    maxBytes: maxOutputBytes,
  }
  return runWithOneRetry(attempt, work, { prefixes: ['build: '], secrets: secretsOf(attempt) })
}
