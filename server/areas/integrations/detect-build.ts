import { z } from 'zod'
import type { inspectRepository as contract } from '../../../contract/integrations.ts'
import { detectGo } from './languages/go.ts'
import { detectNode } from './languages/node.ts'
import { detectPython } from './languages/python.ts'
import { detectStaticSite } from './languages/static.ts'
import { type DetectedBuild, type FileTree, subTree } from './languages/file-tree.ts'
import type { Context } from '../../context.ts'
import type { Integration } from './integration.ts'
import {
  getBranchHead,
  getRepository,
  toRepositoryRef,
  contentsAccess,
  encodePath,
  readContents,
  repositoryPath,
  withNotFound,
} from './repository.ts'
import { type RepositoryRef, callAsInstallation } from './installation-token.ts'
import { GitHubRequestFailed } from '../auth/github-api.ts'

export type { FileTree }

type Inspection = Omit<z.input<(typeof contract)['reply']>['inspection'], 'commit'>

/** Order matters: a site built with Node.js also has an index.html. */
const languages = [detectNode, detectGo, detectPython, detectStaticSite]

/** Detects Dockerfiles, the language and the framework of a repository, and generates a Dockerfile, as buildpacks do. */
export async function detectBuild(whole: FileTree, folder: string): Promise<Inspection> {
  const tree = subTree(whole, folder)
  const dockerfiles = tree.paths
    .filter((path) => dockerfile.test(path) && !path.endsWith('.dockerignore'))
    .toSorted(byDepth)
  const detected = await detectLanguage(tree)
  return {
    dockerfiles,
    language: detected?.language ?? null,
    summary: formatSummary(tree, folder, dockerfiles, detected),
    generated: detected?.dockerfile ?? null,
    port: detected?.port ?? null,
    submodules: whole.paths.includes('.gitmodules'),
    lfs: /\bfilter=lfs\b/.test((await whole.read('.gitattributes')) ?? ''),
  }
}

async function detectLanguage(tree: FileTree): Promise<DetectedBuild | undefined> {
  for (const find of languages) {
    const detected = await find(tree)
    if (detected) return detected
  }
  return undefined
}

const dockerfile = /^(?:.*\/)?(?:Dockerfile(?:\.[\w-]+)?|[\w-]+\.Dockerfile)$/

const byDepth = (a: string, b: string) => a.split('/').length - b.split('/').length || (a < b ? -1 : 1)

function formatSummary(
  { paths }: FileTree,
  folder: string,
  all: string[],
  detected: DetectedBuild | undefined,
): string {
  if (paths.length === 0)
    return folder === ''
      ? 'The repository is empty.'
      : `The folder ${folder} was not found in the repository.`
  if (all.includes('Dockerfile')) return 'Built with the Dockerfile of the repository.'
  if (detected) return detected.summary
  if (all[0] !== undefined) return `Found a Dockerfile at ${all[0]}. To use it, set the Dockerfile path.`
  return 'No Dockerfile, package.json, go.mod, requirements.txt, pyproject.toml or index.html found. Add a Dockerfile or choose another folder.'
}

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

const treeAnswer = z.object({ tree: z.array(z.object({ path: z.string(), type: z.string() })) })

export async function readTree(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  sha: string,
): Promise<string[]> {
  const path = `git/trees/${encodePath(sha)}?recursive=1`
  return withNotFound(`The commit ${sha} was not found in ${repository.repository}.`, async () => {
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
