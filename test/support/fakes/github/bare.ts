import { spawn } from 'node:child_process'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { Refusal } from './answer.ts'
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
  /** Of the bare repository. */
  path: string
  /** Kilobytes that GitHub says it has. */
  size?: number
}

/** What a file holds; with a mode for links (120000), programs (100755) and submodules (160000, and the commit). */
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
  /** What it stands on: a commit, or null for nothing; the branch itself unless told. */
  from?: string | null | undefined
}

const environment = {
  PATH: process.env['PATH'] ?? '',
  HOME: '/nonexistent',
  GIT_CONFIG_NOSYSTEM: '1',
  GIT_CONFIG_GLOBAL: '/dev/null',
}

/** Runs git on a bare repository, and gives what it printed. */
export async function git(path: string, args: string[], input?: Buffer): Promise<Buffer> {
  const child = spawn('git', ['--git-dir', path, ...args], { env: environment })
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  const [said, wrong] = await Promise.all([buffer(child.stdout), buffer(child.stderr)])
  if ((await ended) !== 0) throw new Error(`git ${args.join(' ')}: ${wrong.toString()}`)
  return said
}

export const gitText = async (path: string, ...args: string[]) => (await git(path, args)).toString().trim()

export async function initBare(folder: string, name: string): Promise<string> {
  const path = join(folder, name)
  await mkdir(path, { recursive: true })
  await git(path, ['init', '--quiet', '--bare', '--initial-branch', 'main', path])
  for (const setting of [
    'uploadpack.allowAnySHA1InWant',
    'uploadpack.allowFilter',
    'uploadpack.allowReachableSHA1InWant',
  ])
    await git(path, ['config', setting, 'true'])
  // Large files of tests are random: nothing is won by it.
  await git(path, ['config', 'core.compression', '0'])
  await git(path, ['config', 'core.bigFileThreshold', '1m'])
  return path
}

/** The commit that a branch, a tag or the name of a commit leads to. */
export async function resolve(path: string, ref: string): Promise<string | undefined> {
  for (const name of [
    `refs/heads/${ref}`,
    `refs/tags/${ref}`,
    ...(/^[0-9a-f]{7,40}$/.test(ref) ? [ref] : []),
  ])
    try {
      return await gitText(path, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${name}^{commit}`)
    } catch {
      // The next one, then.
    }
  return undefined
}

/** The same, of what has to be there. */
export async function commitOf(repository: Repository, ref: string): Promise<string> {
  const sha = await resolve(repository.path, ref)
  if (!sha) throw new Refusal(422, `No commit found for SHA: ${ref}`)
  return sha
}

/** Writes a commit without a work tree; whatever was there stays, but for these files. */
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
  // Without this, fast-import would go on from what the branch holds.
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

export async function branchesOf({ path }: Repository): Promise<{ name: string; sha: string }[]> {
  const said = await gitText(path, 'for-each-ref', '--format=%(objectname) %(refname)', 'refs/heads/')
  return said
    .split('\n')
    .filter(Boolean)
    .map((line) => ({ sha: line.slice(0, 40), name: line.slice(41 + 'refs/heads/'.length) }))
}
