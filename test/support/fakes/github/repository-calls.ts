import { z } from 'zod'
import { type Call, json, missing, page, readBody, Refusal, unfit } from './answer.ts'
import { ofRepository } from './authenticate.ts'
import { branchesOf, commitOf, git, gitText, type Repository, resolve } from './bare.ts'
import { showCommit, showRepository } from './show.ts'
import type { CommitStatus } from './state.ts'

export const getRepository = (call: Call) =>
  json(call, 200, showRepository(call.state, ofRepository(call, 'metadata').repository))

export async function listBranches(call: Call) {
  const { repository } = ofRepository(call, 'contents')
  const { items, headers } = page(call, await branchesOf(repository))
  const shown = items.map(({ name, sha }) => ({
    name,
    commit: { sha, url: urlOf(call, repository, sha) },
    protected: false,
  }))
  return json(call, 200, shown, headers)
}

const urlOf = ({ state }: Call, { fullName }: Repository, sha: string) =>
  `${state.url}/repos/${fullName}/commits/${sha}`

export async function getBranch(call: Call) {
  const { repository } = ofRepository(call, 'contents')
  const name = call.params['branch'] ?? ''
  const found = (await branchesOf(repository)).find((branch) => branch.name === name)
  if (!found) throw new Refusal(404, 'Branch not found')
  return json(call, 200, {
    name,
    commit: await showCommit(call.state, repository, found.sha),
    protected: false,
  })
}

export async function getCommit(call: Call) {
  const { repository } = ofRepository(call, 'contents')
  if ((await branchesOf(repository)).length === 0) throw new Refusal(409, 'Git Repository is empty.')
  const sha = await commitOf(repository, call.params['ref'] ?? '')
  return json(call, 200, await showCommit(call.state, repository, sha))
}

export async function getTree(call: Call) {
  const { repository } = ofRepository(call, 'contents')
  const sha = await resolve(repository.path, call.params['ref'] ?? '')
  if (!sha) throw missing()
  const deep = call.url.searchParams.has('recursive') ? ['-r', '-t'] : []
  const said = await git(repository.path, ['ls-tree', '-z', '--long', ...deep, sha])
  const tree = said
    .toString()
    .split('\0')
    .filter(Boolean)
    .map((line) => {
      const [facts = '', path = ''] = line.split('\t')
      const [mode = '', type = '', id = '', size = ''] = facts.split(/ +/)
      return { path, mode, type, sha: id, ...(type === 'blob' && { size: Number(size) }) }
    })
  return json(call, 200, { sha, tree: tree.slice(0, 100_000), truncated: tree.length > 100_000 })
}

/** One file; what is larger than a megabyte comes only raw, as with the real one. */
export async function getContents(call: Call) {
  const { repository } = ofRepository(call, 'contents')
  const sha = await resolve(repository.path, call.url.searchParams.get('ref') ?? repository.defaultBranch)
  const path = call.params['path'] ?? ''
  const object = `${sha}:${path}`
  const type =
    sha && path && (await gitText(repository.path, 'cat-file', '-t', object).catch(() => undefined))
  if (type === 'tree') {
    const names = (await gitText(repository.path, 'ls-tree', '--name-only', object)).split('\n')
    return json(
      call,
      200,
      names.map((name) => ({ name, path: `${path}/${name}` })),
    )
  }
  if (type !== 'blob') throw missing()
  const bytes = await git(repository.path, ['cat-file', 'blob', object])
  if (/\.raw(\+json)?/.test(call.request.headers.accept ?? ''))
    return call.response
      .writeHead(200, { 'content-type': 'application/vnd.github.raw+json; charset=utf-8' })
      .end(bytes)
  const small = bytes.length <= 1_048_576
  const content = { encoding: small ? 'base64' : 'none', content: small ? bytes.toString('base64') : '' }
  return json(call, 200, {
    type: 'file',
    name: path.replace(/.*\//, ''),
    path,
    size: bytes.length,
    ...content,
  })
}

/** What changed from one commit to another since they parted; at most 300 files are told. */
export async function compare(call: Call) {
  const { repository } = ofRepository(call, 'contents')
  const [base = '', head = '', ...more] = (call.params['range'] ?? '').split('...')
  const [from, to] = [await resolve(repository.path, base), await resolve(repository.path, head)]
  if (!from || !to || more.length > 0) throw missing()
  const since = await gitText(repository.path, 'merge-base', from, to).catch(() => undefined)
  if (!since) throw new Refusal(404, `No common ancestor between ${base} and ${head}.`)
  const said = await git(repository.path, ['diff', '--name-status', '-z', '--find-renames', since, to])
  const files = readDiff(said.toString().split('\0').filter(Boolean))
  const list = await gitText(repository.path, 'rev-list', '--reverse', `${since}..${to}`)
  const shas = list.split('\n').filter(Boolean)
  const { items, headers } = page(call, shas)
  const commits = await Promise.all(items.map((sha) => showCommit(call.state, repository, sha)))
  const status = from === to ? 'identical' : since === from ? 'ahead' : since === to ? 'behind' : 'diverged'
  return json(call, 200, { status, total_commits: shas.length, commits, files: files.slice(0, 300) }, headers)
}

const kinds: Record<string, string> = { A: 'added', D: 'removed', M: 'modified', T: 'changed' }

export function readDiff(
  fields: string[],
): { filename: string; status: string; previous_filename?: string }[] {
  const files: ReturnType<typeof readDiff> = []
  for (let at = 0; at < fields.length;) {
    const [kind = '', first = '', second = ''] = fields.slice(at, at + 3)
    if (kind.startsWith('R')) files.push({ filename: second, status: 'renamed', previous_filename: first })
    else files.push({ filename: first, status: kinds[kind] ?? 'changed' })
    at += kind.startsWith('R') ? 3 : 2
  }
  return files
}

const given = z.object({
  state: z.string().optional(),
  target_url: z.string().nullish(),
  description: z.string().nullish(),
  context: z.string().default('default'),
})

/** As strict as the real one about what a status may say. */
export async function createStatus(call: Call) {
  const { state } = call
  const { repository, token } = ofRepository(call, 'statuses', 'write')
  const sha = await commitOf(repository, call.params['sha'] ?? '')
  const read = given.safeParse(await readBody(call))
  const wrong = (field: string, message: string) =>
    unfit({ resource: 'Status', code: 'custom', field, message })
  if (!read.success) throw unfit({ resource: 'Status', code: 'invalid' })
  const said = read.data
  if (!['error', 'failure', 'pending', 'success'].includes(said.state ?? ''))
    throw wrong('state', 'state is not included in the list')
  if ((said.description?.length ?? 0) > 140)
    throw wrong('description', 'description is too long (maximum is 140 characters)')
  if (said.context.length > 255) throw wrong('context', 'context is too long (maximum is 255 characters)')
  if (said.target_url && !/^https?:\/\/./.test(said.target_url))
    throw wrong('target_url', 'target_url must use http(s) scheme')
  const before = state.statuses.filter((one) => one.sha === sha && one.context === said.context)
  if (before.length >= 1000)
    throw wrong('base', 'This SHA and context has reached the maximum number of statuses.')
  const status: CommitStatus = {
    id: state.nextId(),
    repository: repository.fullName,
    sha,
    state: said.state ?? '',
    context: said.context,
    description: said.description ?? null,
    target_url: said.target_url ?? null,
    creator: `${token.installation.app.slug}[bot]`,
  }
  state.statuses.push(status)
  return json(call, 201, status)
}
