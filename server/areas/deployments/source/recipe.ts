import { inspectCommit } from '../../integrations/inspect-repository.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import { requireIntegration } from './require-integration.ts'
import { retryWhenRateLimited } from './resolve-commit.ts'
import { buildConfig } from './source-work.ts'

/** How to build: the Dockerfile of the repository (`auto` if present), a given Dockerfile, or Railpack. */
export type Recipe = { how: 'file' | 'auto' | 'railpack' } | { how: 'given'; text: string }

/** Below the size limit of one environment variable. */
const maxFileBytes = 100_000

export async function initialRecipe(attempt: DeploymentRun): Promise<Recipe> {
  const { builder, generated } = buildConfig(attempt)
  if (builder === 'railpack') return { how: 'railpack' }
  if (builder === 'dockerfile') return { how: 'file' }
  if (builder === 'auto') return { how: 'auto' }
  return generated === null ? generateRecipe(attempt) : givenRecipe(generated)
}

/** Generates a Dockerfile for the content of the repository at this commit. */
export async function generateRecipe(attempt: DeploymentRun, { isTold = false } = {}): Promise<Recipe> {
  const { ctx, commit, log } = attempt
  const source = buildConfig(attempt)
  const { folder, dockerfile } = source
  const integration = await requireIntegration(attempt)
  const sha = commit?.sha ?? ''
  const { generated, says } = await retryWhenRateLimited(attempt, () =>
    inspectCommit(ctx, integration, source, { sha, folder }),
  )
  if (!isTold && dockerfile !== '') log.write(`No ${dockerfile} found`)
  if (!isTold) log.write(says)
  if (generated === null)
    throw new DeploymentFailed(
      `Slipway does not know how to build ${source.repository}. Add a Dockerfile, then deploy again.`,
    )
  return givenRecipe(generated)
}

function givenRecipe(text: string): Recipe {
  if (Buffer.byteLength(text) > maxFileBytes)
    throw new DeploymentFailed(
      `The Dockerfile exceeds ${maxFileBytes / 1_000} kB. Add it to the repository, then deploy again.`,
    )
  return { how: 'given', text }
}
