import { z } from 'zod'
import type { Context } from '../../context.ts'
import { GitHubRequestFailed } from '../auth/github-api.ts'
import type { Integration } from './integration.ts'
import { contentsAccess, encodePath, readContents, repositoryPath, withNotFound } from './repository.ts'
import { callAsInstallation, type RepositoryRef } from './installation-token.ts'

const treeAnswer = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })) })

export async function readTree(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  sha: string,
): Promise<string[]> {
  const path = `git/trees/${encodePath(sha)}?recursive=1`
  return withNotFound(`Commit ${sha} not found in ${repository.repository}.`, async () => {
    const { tree } = await readContents(ctx, integration, repository, path, treeAnswer)
    return tree.filter(({ type }) => type === 'blob').map((file) => file.path)
  })
}

const maxBytes = 1_048_576

export async function readRepositoryFile(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  sha: string,
  path: string,
): Promise<string | undefined> {
  const request = {
    path: `${repositoryPath(repository)}/contents/${encodePath(path)}?ref=${encodeURIComponent(sha)}`,
    accept: 'application/vnd.github.raw+json',
  }
  try {
    const answer = await callAsInstallation(ctx, integration, contentsAccess(repository), request)
    return await readSmall(answer)
  } catch (error) {
    if (error instanceof GitHubRequestFailed && error.code === 'github_not_found') return undefined
    throw error
  }
}

async function readSmall({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the download.
    if (bytes > maxBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}
