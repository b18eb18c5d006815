import { z } from 'zod'
import type { Context } from '../../context.ts'
import { GitHubRefused } from '../auth/github-errors.ts'
import type { Integration } from './integration.ts'
import { encoded, ofContents, orMissing, placeOf } from './repository.ts'
import { askAs, type KnownRepository, readAs } from './token.ts'

const treeAnswer = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })) })

/** Lists all file paths at a commit; truncated for very large repositories. */
export async function readTree(
  ctx: Context,
  integration: Integration,
  repository: KnownRepository,
  sha: string,
): Promise<string[]> {
  const path = `${placeOf(repository)}/git/trees/${encoded(sha)}?recursive=1`
  return orMissing(`Commit ${sha} not found in ${repository.repository}.`, async () => {
    const { value } = await readAs(ctx, integration, ofContents(repository), { path }, treeAnswer)
    return value.tree.filter(({ type }) => type === 'blob').map((file) => file.path)
  })
}

const mostBytes = 1_048_576

/** Reads a small file at a commit; undefined if it is missing or too large. */
export async function readFile(
  ctx: Context,
  integration: Integration,
  repository: KnownRepository,
  sha: string,
  path: string,
): Promise<string | undefined> {
  const asked = {
    path: `${placeOf(repository)}/contents/${encoded(path)}?ref=${encodeURIComponent(sha)}`,
    accept: 'application/vnd.github.raw+json',
  }
  try {
    const answer = await askAs(ctx, integration, ofContents(repository), asked)
    return await readSmall(answer)
  } catch (error) {
    if (error instanceof GitHubRefused && error.code === 'github_not_found') return undefined
    throw error
  }
}

async function readSmall({ body }: Response): Promise<string | undefined> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of body ?? []) {
    bytes += chunk.byteLength
    // Leaving the loop cancels the download.
    if (bytes > mostBytes) return undefined
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** Maximum number of files GitHub returns. */
const mostFiles = 300
const compareAnswer = z.object({
  status: z.string(),
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().optional() })),
})

/** Lists the changed files between two commits; undefined if GitHub cannot return all of them. */
export async function compareFiles(
  ctx: Context,
  integration: Integration,
  repository: KnownRepository,
  base: string,
  head: string,
): Promise<string[] | undefined> {
  const path = `${placeOf(repository)}/compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}?per_page=1`
  try {
    const { value } = await readAs(ctx, integration, ofContents(repository), { path }, compareAnswer)
    // For diverged commits GitHub returns only one side of the changes.
    if (value.files.length >= mostFiles || !['ahead', 'identical'].includes(value.status)) return undefined
    return value.files.flatMap((file) => [file.filename, file.previous_filename ?? []].flat())
  } catch (error) {
    if (error instanceof GitHubRefused && error.code === 'github_not_found') return undefined
    throw error
  }
}
