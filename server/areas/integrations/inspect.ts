import type { z } from 'zod'
import type { inspectRepository } from '../../../contract/integrations.ts'
import { findGo } from './languages/go.ts'
import { findNode } from './languages/node.ts'
import { findPython } from './languages/python.ts'
import { findStatic } from './languages/static.ts'
import { type Found, inside, type Tree } from './languages/tree.ts'

export type { Tree }

type Inspection = Omit<z.input<(typeof inspectRepository)['reply']>['inspection'], 'commit'>

/** Order matters: a site built with Node.js also has an index.html. */
const languages = [findNode, findGo, findPython, findStatic]

/** Detects how to build a folder of a repository. */
export async function inspect(whole: Tree, folder: string): Promise<Inspection> {
  const tree = inside(whole, folder)
  const dockerfiles = tree.paths
    .filter((path) => dockerfile.test(path) && !path.endsWith('.dockerignore'))
    .toSorted(byDepth)
  const found = await findFirst(tree)
  return {
    dockerfiles,
    language: found?.language ?? null,
    summary: sentenceOf(tree, folder, dockerfiles, found),
    generated: found?.dockerfile ?? null,
    port: found?.port ?? null,
    submodules: whole.paths.includes('.gitmodules'),
    lfs: /\bfilter=lfs\b/.test((await whole.read('.gitattributes')) ?? ''),
  }
}

async function findFirst(tree: Tree): Promise<Found | undefined> {
  for (const find of languages) {
    const found = await find(tree)
    if (found) return found
  }
  return undefined
}

const dockerfile = /^(?:.*\/)?(?:Dockerfile(?:\.[\w-]+)?|[\w-]+\.Dockerfile)$/

const byDepth = (one: string, other: string) =>
  one.split('/').length - other.split('/').length || (one < other ? -1 : 1)

function sentenceOf({ paths }: Tree, folder: string, all: string[], found: Found | undefined): string {
  if (paths.length === 0)
    return folder === '' ? 'The repository is empty.' : `Folder ${folder} not found in the repository.`
  if (all.includes('Dockerfile')) return 'Built with its Dockerfile.'
  if (found) return found.summary
  if (all[0] !== undefined) return `Found a Dockerfile at ${all[0]}. Set that path to use it.`
  return 'No Dockerfile, package.json, go.mod, requirements.txt, pyproject.toml or index.html found. Add a Dockerfile or choose another folder.'
}
