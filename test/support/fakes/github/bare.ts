import { spawn } from 'node:child_process'
import { appendFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import type { GitHubAccount } from './state.ts'

export interface Repository {
  id: number
  owner: GitHubAccount
  name: string
  fullName: string
  private: boolean
  description: string | null
  defaultBranch: string
  pushedAt: Date
  /** Path of the bare repository. */
  path: string
  /** In kilobytes, as the API reports it. */
  size?: number
}

/** Content of a file, with a mode for symlinks (120000), executables (100755) and submodules (160000, with the commit). */
export type FileContent =
  | string
  | Buffer
  | { mode: '120000' | '100755' | '160000'; content: string | Buffer }
  | null

export interface Change {
  branch: string
  files: Record<string, FileContent>
  message: string
  author: { name: string; email: string }
  /** The parent commit, or null for none; by default the head of the branch. */
  from?: string | null | undefined
}

const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** Runs git on a bare repository and gives its output. */
export async function git(path: string, args: string[], input?: Buffer): Promise<Buffer> {
  const child = spawn('git', ['--git-dir', path, ...args], { env: environment })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [output, errors] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  if ((await ended) !== 0) throw new Error(`git ${args.join(' ')}: ${errors.toString()}`)
  return output
}

export const gitText = async (path: string, ...args: string[]) => (await git(path, args)).toString().trim()

/** Large files of tests are random and do not compress. */
const settings = `[uploadpack]
allowAnySHA1InWant = true
allowFilter = true
allowReachableSHA1InWant = true
[core]
compression = 0
bigFileThreshold = 1m
`

export async function initBare(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  await git(path, ['init', '--quiet', '--bare', '--template=', '--initial-branch', 'main', path])
  await appendFile(join(path, 'config'), settings)
  return path
}

/** Resolves a branch, a tag or an abbreviated commit. */
export async function resolve(path: string, ref: string): Promise<string | undefined> {
  if (ref.includes('\n')) return undefined
  const names = [`refs/heads/${ref}`, `refs/tags/${ref}`, ...(/^[0-9a-f]{7,40}$/.test(ref) ? [ref] : [])]
  const asked = Buffer.from(names.map((name) => `${name}^{commit}\n`).join(''))
  const said = await git(path, ['cat-file', '--batch-check'], asked)
  return /^([0-9a-f]{40}) commit /m.exec(said.toString())?.[1]
}

/** Commits changes to files with git fast-import, without a work tree. */
export async function commit({ path }: Repository, change: Change): Promise<string> {
  const ref = `refs/heads/${change.branch}`
  const head = await resolve(path, change.branch)
  const from = change.from === undefined ? head : change.from
  const who = `${change.author.name} <${change.author.email}> ${Math.floor(Date.now() / 1000)} +0000`
  const parts: Buffer[] = []
  const say = (text: string) => parts.push(Buffer.from(text))
  const data = (content: string | Buffer) => {
    const bytes = Buffer.from(content)
    parts.push(Buffer.from(`data ${bytes.length}\n`), bytes, Buffer.from('\n'))
  }
  // Without a reset, fast-import continues from the head of the branch.
  if (from === null && head) say(`reset ${ref}\n\n`)
  say(`commit ${ref}\nmark :1\nauthor ${who}\ncommitter ${who}\n`)
  data(change.message)
  if (from) say(`from ${from}\n`)
  for (const [name, content] of Object.entries(change.files)) {
    const quoted = JSON.stringify(name)
    if (content === null) say(`D ${quoted}\n`)
    else if (typeof content === 'string' || Buffer.isBuffer(content)) {
      say(`M 100644 inline ${quoted}\n`)
      data(content)
    } else if (content.mode === '160000') say(`M 160000 ${content.content.toString()} ${quoted}\n`)
    else {
      say(`M ${content.mode} inline ${quoted}\n`)
      data(content.content)
    }
  }
  say('\nget-mark :1\ndone\n')
  const said = await git(path, ['fast-import', '--quiet', '--force', '--done'], Buffer.concat(parts))
  return said.toString().trim()
}

export async function listBranchesOf({ path }: Repository): Promise<{ name: string; sha: string }[]> {
  const said = await gitText(path, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/')
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ sha: line.slice(0, 40), name: line.slice(41 + 'refs/heads/'.length) }))
}
