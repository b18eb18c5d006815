import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
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

export async function initBare(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  await git(path, ['init', '--quiet', '--bare', '--initial-branch', 'main', path])
  for (const setting of ['allowAnySHA1InWant', 'allowFilter', 'allowReachableSHA1InWant'])
    await git(path, ['config', `uploadpack.${setting}`, 'true'])
  // Large files of tests are random and do not compress.
  await git(path, ['config', 'core.compression', '0'])
  await git(path, ['config', 'core.bigFileThreshold', '1m'])
  return path
}

/** Resolves a branch, a tag or an abbreviated commit. */
export async function resolve(path: string, ref: string): Promise<string | undefined> {
  const names = [`refs/heads/${ref}`, `refs/tags/${ref}`, ...(/^[0-9a-f]{7,40}$/.test(ref) ? [ref] : [])]
  for (const name of names) {
    const revision = ['--verify', '--quiet', '--end-of-options', `${name}^{commit}`]
    const sha = await gitText(path, 'rev-parse', ...revision).catch(() => undefined)
    if (sha) return sha
  }
  return undefined
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
