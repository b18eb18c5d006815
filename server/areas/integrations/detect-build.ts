import type { z } from 'zod'
import type { inspectRepository } from '../../../contract/integrations.ts'
import { detectGo } from './languages/go.ts'
import { detectNode } from './languages/node.ts'
import { detectPython } from './languages/python.ts'
import { detectStaticSite } from './languages/static.ts'
import { type DetectedBuild, subTree, type FileTree } from './languages/file-tree.ts'

export type { FileTree }

type Inspection = Omit<z.input<(typeof inspectRepository)['reply']>['inspection'], 'commit'>

/** Order matters: a site built with Node.js also has an index.html. */
const languages = [detectNode, detectGo, detectPython, detectStaticSite]

/** Detects how to build a folder of a repository. */
export async function detectBuild(whole: FileTree, folder: string): Promise<Inspection> {
  const tree = subTree(whole, folder)
  const dockerfiles = tree.paths
    .filter((path) => dockerfile.test(path) && !path.endsWith('.dockerignore'))
    .toSorted(byDepth)
  const found = await detectLanguage(tree)
  return {
    dockerfiles,
    language: found?.language ?? null,
    summary: formatSummary(tree, folder, dockerfiles, found),
    generated: found?.dockerfile ?? null,
    port: found?.port ?? null,
    submodules: whole.paths.includes('.gitmodules'),
    lfs: /\bfilter=lfs\b/.test((await whole.read('.gitattributes')) ?? ''),
  }
}

async function detectLanguage(tree: FileTree): Promise<DetectedBuild | undefined> {
  for (const find of languages) {
    const found = await find(tree)
    if (found) return found
  }
  return undefined
}

const dockerfile = /^(?:.*\/)?(?:Dockerfile(?:\.[\w-]+)?|[\w-]+\.Dockerfile)$/

const byDepth = (one: string, other: string) =>
  one.split('/').length - other.split('/').length || (one < other ? -1 : 1)

function formatSummary(
  { paths }: FileTree,
  folder: string,
  all: string[],
  found: DetectedBuild | undefined,
): string {
  if (paths.length === 0)
    return folder === '' ? 'The repository is empty.' : `Folder ${folder} not found in the repository.`
  if (all.includes('Dockerfile')) return 'Built with its Dockerfile.'
  if (found) return found.summary
  if (all[0] !== undefined) return `Found a Dockerfile at ${all[0]}. Set that path to use it.`
  return 'No Dockerfile, package.json, go.mod, requirements.txt, pyproject.toml or index.html found. Add a Dockerfile or choose another folder.'
}
