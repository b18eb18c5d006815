import { z } from 'zod'
import type { Reply } from '../http-service.ts'
import { type Call, notFound, ok, page, refuse } from './answer.ts'
import { repositoryOf } from './authenticate.ts'
import { git, gitText, listBranchesOf, type Repository, resolve } from './bare.ts'
import { showCommit, showRepository } from './show.ts'
import type { CommitStatus } from './state.ts'

const contentsOf = (call: Call) => repositoryOf(call, 'contents').repository

async function getSha(repository: Repository, ref = ''): Promise<string> {
  const sha = await resolve(repository.path, ref)
  if (!sha) throw refuse(422, `No commit found for SHA: ${ref}`)
  return sha
}

export const getRepository = (call: Call) =>
  ok(showRepository(call.state, repositoryOf(call, 'metadata').repository))

export async function listBranches(call: Call) {
  const { items, headers } = page(call, await listBranchesOf(contentsOf(call)))
  const branches = items.map(({ name, sha }) => ({ name, commit: { sha }, protected: false }))
  return ok(branches, headers)
}

export async function getBranch(call: Call) {
  const repository = contentsOf(call)
  const name = call.params['branch'] ?? ''
  const branch = (await listBranchesOf(repository)).find((one) => one.name === name)
  if (!branch) throw refuse(404, 'Branch not found')
  return ok({ name, commit: await showCommit(call.state, repository, branch.sha), protected: false })
}

export async function getCommit(call: Call) {
  const repository = contentsOf(call)
  if ((await listBranchesOf(repository)).length === 0) throw refuse(409, 'Git Repository is empty.')
  const sha = await getSha(repository, call.params['ref'])
  return ok(await showCommit(call.state, repository, sha))
}

const splitNul = (output: Buffer) => output.toString().split('\0').filter(Boolean)

export async function getTree(call: Call) {
  const { path } = contentsOf(call)
  const sha = await resolve(path, call.params['ref'] ?? '')
  if (!sha) throw notFound()
  const recursive = call.url.searchParams.has('recursive') ? ['-r', '-t'] : []
  const tree = splitNul(await git(path, ['ls-tree', '-z', ...recursive, sha])).map((line) => {
    const [facts = '', file = ''] = line.split('\t')
    const [mode, type, id] = facts.split(' ')
    return { path: file, mode, type, sha: id }
  })
  return ok({ sha, tree: tree.slice(0, 100_000), truncated: tree.length > 100_000 })
}

/** A file in raw form; the fake has no other media type. */
export async function getContents(call: Call) {
  const { path, defaultBranch } = contentsOf(call)
  if (!/\.raw(\+json)?/.test(call.request.headers.accept ?? '')) throw refuse(415, 'Unsupported Media Type')
  const sha = await resolve(path, call.url.searchParams.get('ref') ?? defaultBranch)
  const object = `${sha}:${call.params['path']}`
  const type = sha && (await gitText(path, 'cat-file', '-t', object).catch(() => undefined))
  if (type !== 'blob') throw notFound()
  call.response.setHeader('content-type', 'application/vnd.github.raw+json; charset=utf-8')
  call.response.end(await git(path, ['cat-file', 'blob', object]))
  return undefined
}

/** Files that differ between a commit and its merge base with another; at most 300 are listed. */
export async function compare(call: Call) {
  const { path } = contentsOf(call)
  const [base = '', head = '', ...more] = (call.params['range'] ?? '').split('...')
  const [from, to] = [await resolve(path, base), await resolve(path, head)]
  if (!from || !to || more.length > 0) throw notFound()
  const since = await gitText(path, 'merge-base', from, to).catch(() => undefined)
  if (!since) throw refuse(404, `No common ancestor between ${base} and ${head}.`)
  const files = parseDiff(await git(path, ['diff', '--name-status', '-z', '--find-renames', since, to]))
  const status = from === to ? 'identical' : since === from ? 'ahead' : since === to ? 'behind' : 'diverged'
  return ok({ status, files: files.slice(0, 300) })
}

const kinds: Record<string, string> = { A: 'added', D: 'removed', M: 'modified', T: 'changed' }

interface ChangedFile {
  filename: string
  status: string
  previous_filename?: string
}

export function parseDiff(output: Buffer): ChangedFile[] {
  const fields = splitNul(output)
  const files: ChangedFile[] = []
  for (let at = 0; at < fields.length;) {
    const [kind = '', first = '', second = ''] = fields.slice(at, at + 3)
    const isRename = kind.startsWith('R')
    if (isRename) files.push({ filename: second, status: 'renamed', previous_filename: first })
    else files.push({ filename: first, status: kinds[kind] ?? 'changed' })
    at += isRename ? 3 : 2
  }
  return files
}

const newStatus = z.object({
  state: z.enum(['error', 'failure', 'pending', 'success'], 'state is not included in the list'),
  target_url: z
    .string()
    .regex(/^https?:\/\/./, 'target_url must use http(s) scheme')
    .nullish(),
  description: z.string().max(140, 'description is too long (maximum is 140 characters)').nullish(),
  context: z.string().max(255, 'context is too long (maximum is 255 characters)').default('default'),
})

export async function createStatus(call: Call): Promise<Reply> {
  const { state } = call
  const { repository, token } = repositoryOf(call, 'statuses', 'write')
  const sha = await getSha(repository, call.params['sha'])
  const invalid = (field: string, message: string) =>
    refuse(422, 'Validation Failed', { errors: [{ resource: 'Status', code: 'custom', field, message }] })
  const { data, error } = newStatus.safeParse(call.body)
  if (!data) throw invalid(String(error.issues[0]?.path[0]), error.issues[0]?.message ?? '')
  const { context, description = null, target_url = null } = data
  if (state.statuses.filter((one) => one.sha === sha && one.context === context).length >= 1000)
    throw invalid('base', 'This SHA and context has reached the maximum number of statuses.')
  const status: CommitStatus = {
    id: state.nextId(),
    repository: repository.fullName,
    sha,
    state: data.state,
    context,
    description,
    target_url,
    creator: `${token.installation.app.slug}[bot]`,
  }
  state.statuses.push(status)
  return { status: 201, body: status }
}
