import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import { readFile, readTree } from './files.ts'
import { inspect } from './inspect.ts'
import { getBranchHead, getRepository, known } from './repository.ts'
import type { KnownRepository } from './token.ts'

/** Inspects the latest commit of a branch with the GitHub API. */
export async function inspectRepository(
  ctx: Context,
  integration: Integration,
  { repository: name, branch, folder }: { repository: string; branch: string; folder: string },
) {
  const repository = known(await getRepository(ctx, integration, name))
  const commit = await getBranchHead(ctx, integration, repository, branch)
  return { commit, ...(await inspectCommit(ctx, integration, repository, { sha: commit.sha, folder })) }
}

export async function inspectCommit(
  ctx: Context,
  integration: Integration,
  repository: KnownRepository,
  { sha, folder }: { sha: string; folder: string },
) {
  const paths = await readTree(ctx, integration, repository, sha)
  const there = new Set(paths)
  const read = async (path: string) =>
    there.has(path) ? readFile(ctx, integration, repository, sha, path) : undefined
  return inspect({ paths, read }, folder)
}
