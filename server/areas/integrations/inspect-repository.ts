import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import { readRepositoryFile, readTree } from './repository-files.ts'
import { detectBuild } from './detect-build.ts'
import { getBranchHead, getRepository, toRepositoryRef } from './repository.ts'
import type { RepositoryRef } from './installation-token.ts'

/** Inspects the latest commit of a branch with the GitHub API. */
export async function inspectRepository(
  ctx: Context,
  integration: Integration,
  { repository: name, branch, folder }: { repository: string; branch: string; folder: string },
) {
  const repository = toRepositoryRef(await getRepository(ctx, integration, name))
  const commit = await getBranchHead(ctx, integration, repository, branch)
  return { commit, ...(await inspectCommit(ctx, integration, repository, { sha: commit.sha, folder })) }
}

export async function inspectCommit(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  { sha, folder }: { sha: string; folder: string },
) {
  const paths = await readTree(ctx, integration, repository, sha)
  const existing = new Set(paths)
  const read = async (path: string) =>
    existing.has(path) ? readRepositoryFile(ctx, integration, repository, sha, path) : undefined
  return detectBuild({ paths, read }, folder)
}
