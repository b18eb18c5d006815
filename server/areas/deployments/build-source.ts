import { buildLimits } from '../applications/build-limits.ts'
import { inspectCommit } from '../integrations/inspect-repository.ts'
import { type Attempt, Failed, hostFor } from './attempt.ts'
import { buildCommand, type Recipe } from './build-command.ts'
import { findSame, markOf } from './built-before.ts'
import { type Followed, runTwice, wordsTold } from './follow-work.ts'
import { findImage, type ImageFacts } from './image-of.ts'
import { configOf, makeRelease } from './make-release.ts'
import { mustFit } from './obtain-image.ts'
import { integrationOf, nameOf, patiently } from './resolve-commit.ts'
import { ended, turnSeconds } from './source-guard.ts'
import { buildOf, buildWork, builtTag, environmentFor, generatedWork } from './source-work.ts'
import { whyNotBuiltFrom } from './why-not-built-from.ts'

const mostOutput = 16 * 1024 * 1024
/** Bytes that a program can be given in one variable, and some to spare. */
const mostOfFile = 100_000

/** Makes the image, and the release of it. Safe to do again. */
export async function buildSource(attempt: Attempt): Promise<void> {
  const { log, deployment } = attempt
  if (attempt.release) return
  const commit = deployment.commit
  if (!commit) throw new Error('The commit is found out by the step before.')
  const same = await findSame(attempt)
  if (same) log.say(`The same was built for release ${same.release.number}, and is used again.`)
  const image = same?.image ?? (await findBuilt(attempt)) ?? (await build(attempt))
  const name = nameOf(buildOf(attempt).repository, commit)
  mustFit(attempt, image, name)
  attempt.release = await makeRelease(attempt, {
    config: configOf(attempt),
    image: name,
    image_id: image.Id,
    digest: null,
    commit,
    mark: markOf(attempt),
  })
  log.say(`Release ${attempt.release.number} is ${name} (${image.Id.slice(7, 19)}).`)
}

const findBuilt = (attempt: Attempt): Promise<ImageFacts | undefined> =>
  findImage(hostFor(attempt).docker, builtTag(attempt), attempt.signal)

async function build(attempt: Attempt): Promise<ImageFacts> {
  await attempt.entered
  const { builder, generated } = buildOf(attempt)
  const isFirst = attempt.log.reached(generatedWork(attempt.deployment.id)) === 0
  let made = await run(attempt, buildWork(attempt.deployment.id), firstRecipe(builder, generated))
  // What the repository does not bring is found out, once it is known that it does not.
  if (made.finish.code === ended.noDockerfile && builder === 'auto')
    made = await run(attempt, generatedWork(attempt.deployment.id), await findRecipe(attempt, isFirst))
  const { finish, lines } = made
  const image = finish.why === 'ended' && finish.code === 0 ? await findBuilt(attempt) : undefined
  if (image) return image
  const why = whyNotBuiltFrom(finish, {
    server: attempt.server.name,
    build: buildOf(attempt),
    limits: buildLimits(attempt.server, buildOf(attempt)),
    lines,
  })
  throw new Failed(why, lines.slice(-wordsTold))
}

function firstRecipe(builder: string, generated: string | null): Recipe | undefined {
  if (builder === 'railpack') return { how: 'railpack' }
  if (builder === 'dockerfile') return { how: 'file' }
  if (builder === 'auto') return { how: 'auto' }
  return generated === null ? undefined : { how: 'given', text: generated }
}

async function run(attempt: Attempt, id: string, recipe: Recipe | undefined): Promise<Followed> {
  const made = recipe ?? (await findRecipe(attempt, attempt.log.reached(id) === 0))
  if (made.how === 'given' && Buffer.byteLength(made.text) > mostOfFile)
    throw new Failed(
      `The Dockerfile has more than ${mostOfFile / 1_000} kB. Put it into the repository, then deploy again.`,
    )
  const command = buildCommand(attempt, made)
  // The script ends both by itself, and says which it was.
  const limitSeconds = buildOf(attempt).build_minutes * 60 + turnSeconds + 300
  // Nothing else of its environment reaches the build.
  const secrets = environmentFor(attempt).filter(({ key }) => buildOf(attempt).build_secrets.includes(key))
  return runTwice(attempt, { id, command, limitSeconds, most: mostOutput }, { prefix: 'build: ', secrets })
}

/** As it is generated for what the repository holds at this commit. */
async function findRecipe(attempt: Attempt, isFirst: boolean): Promise<Recipe> {
  const { ctx, deployment, log } = attempt
  const source = buildOf(attempt)
  const { folder, dockerfile } = source
  const integration = await integrationOf(attempt)
  const sha = deployment.commit?.sha ?? ''
  const { generated, says } = await patiently(attempt, () =>
    inspectCommit(ctx, integration, source, { sha, folder }),
  )
  if (isFirst && dockerfile !== '') log.say(`There is no ${dockerfile}.`)
  if (isFirst) log.say(says)
  if (generated === null)
    throw new Failed(
      `It is not known how to build ${source.repository}. Add a Dockerfile, then deploy again.`,
    )
  return { how: 'given', text: generated }
}
