import { inspectCommit } from '../../integrations/inspect-repository.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import { integrationOf } from './integration-of.ts'
import { patiently } from './resolve-commit.ts'
import { buildOf } from './source-work.ts'

/** How the image is made: with a Dockerfile of the repository (if it is there), with one that is given, or by Railpack. */
export type Recipe = { how: 'file' | 'auto' | 'railpack' } | { how: 'given'; text: string }

/** Bytes that a program can be given in one variable, and some to spare. */
const mostOfFile = 100_000

/** How it is tried first. */
export async function firstRecipe(attempt: Attempt): Promise<Recipe> {
  const { builder, generated } = buildOf(attempt)
  if (builder === 'railpack') return { how: 'railpack' }
  if (builder === 'dockerfile') return { how: 'file' }
  if (builder === 'auto') return { how: 'auto' }
  return generated === null ? findRecipe(attempt) : given(generated)
}

/** As it is generated for what the repository holds at this commit. */
export async function findRecipe(attempt: Attempt, { isTold = false } = {}): Promise<Recipe> {
  const { ctx, commit, log } = attempt
  const source = buildOf(attempt)
  const { folder, dockerfile } = source
  const integration = await integrationOf(attempt)
  const sha = commit?.sha ?? ''
  const { generated, says } = await patiently(attempt, () =>
    inspectCommit(ctx, integration, source, { sha, folder }),
  )
  if (!isTold && dockerfile !== '') log.say(`No ${dockerfile} found`)
  if (!isTold) log.say(says)
  if (generated === null)
    throw new Failed(
      `Slipway does not know how to build ${source.repository}. Add a Dockerfile, then deploy again.`,
    )
  return given(generated)
}

function given(text: string): Recipe {
  if (Buffer.byteLength(text) > mostOfFile)
    throw new Failed(
      `The Dockerfile exceeds ${mostOfFile / 1_000} kB. Add it to the repository, then deploy again.`,
    )
  return { how: 'given', text }
}
