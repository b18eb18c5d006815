import { buildLimits } from '../../applications/review/build-limits.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { buildCommand, secretsOf } from './build-command.ts'
import { findSame, markOf } from './built-before.ts'
import { mustBeFetched } from './fetch-source.ts'
import { type Followed, runTwice, wordsTold } from '../run/follow-work.ts'
import type { ImageFacts } from '../images/image-of.ts'
import { findImagesFolder } from './images-folder.ts'
import { configOf, makeRelease } from '../run/make-release.ts'
import { mustFit } from '../images/obtain-image.ts'
import { findRecipe } from './recipe.ts'
import { nameOf } from './resolve-commit.ts'
import { findBuilt, parts, runSource } from './run-source.ts'
import { ended, turnSeconds } from './source-guard.ts'
import { buildOf, generatedWork, mostOutput } from './source-work.ts'
import { whyNotBuiltFrom } from './why-not-built-from.ts'

/** Makes the image, and the release of it. Safe to do again. */
export async function buildSource(attempt: Attempt): Promise<void> {
  const { log, commit } = attempt
  if (attempt.release) return
  if (!commit) throw new Error('The commit is found out by the step before.')
  // What is under way was begun because there is none.
  const same = attempt.source ? undefined : await findSame(attempt, commit.sha)
  if (same) log.say(`Reusing the image of release ${same.release.number}: nothing changed since it was built`)
  const image = same?.image ?? (await build(attempt))
  const name = nameOf(buildOf(attempt).repository, commit)
  mustFit(attempt, image, name)
  attempt.release = await makeRelease(attempt, {
    config: configOf(attempt),
    image: name,
    image_id: image.Id,
    digest: null,
    commit,
    mark: markOf(attempt, commit.sha),
  })
  log.say(`Release ${attempt.release.number} created: ${name} (${image.Id.slice(7, 19)})`)
}

async function build(attempt: Attempt): Promise<ImageFacts> {
  await attempt.entered
  const { finish, lines } = await run(attempt)
  const isThrough = finish.why === 'vanished' || (finish.why === 'ended' && finish.code === 0)
  const image = isThrough ? await findBuilt(attempt) : undefined
  if (image) return image
  const why = whyNotBuiltFrom(finish, {
    server: attempt.server.name,
    build: buildOf(attempt),
    limits: buildLimits(attempt.server, buildOf(attempt)),
    lines,
  })
  throw new Failed(why, lines.slice(-wordsTold))
}

async function run(attempt: Attempt): Promise<Followed> {
  const isTold = attempt.log.reached(generatedWork(attempt.deployment.id)) > 0
  if (!isTold) {
    const source = await runSource(attempt)
    const { finish, lines } = source
    if (!finish) throw new Error('It is followed until it ends.')
    mustBeFetched(attempt, source)
    // What the repository does not bring is found out, once it is known that it does not.
    if (finish.code !== ended.noDockerfile || buildOf(attempt).builder !== 'auto')
      return { finish, lines: lines[parts.build] ?? [] }
  }
  const [recipe, images] = await Promise.all([findRecipe(attempt, { isTold }), findImagesFolder(attempt)])
  const work = {
    id: generatedWork(attempt.deployment.id),
    command: buildCommand(attempt, recipe, images),
    // The script ends both by itself, and says which it was.
    limitSeconds: buildOf(attempt).build_minutes * 60 + turnSeconds + 300,
    most: mostOutput,
  }
  return runTwice(attempt, work, { prefixes: ['build: '], secrets: secretsOf(attempt) })
}
