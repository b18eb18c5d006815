import { z } from 'zod'
import type { commit } from '../../../contract/shared/repository-fields.ts'
import type { Config } from '../../config.ts'
import type { Context } from '../../context.ts'
import { githubNotFound, GitHubRequestFailed } from '../auth/github-api.ts'
import type { Integration } from './integration.ts'
import { readAllPages, readAsInstallation, type RepositoryRef } from './installation-token.ts'

export type Commit = z.infer<typeof commit>

export interface Repository {
  id: number
  name: string
  default_branch: string
  private: boolean
  description: string | null
  pushed_at: string | null
  url: string
  size: number
}

export const repositoryAnswer = z
  .object({
    id: z.number(),
    full_name: z.string(),
    default_branch: z.string(),
    private: z.boolean(),
    description: z.string().nullish(),
    pushed_at: z.string().nullish(),
    html_url: z.string(),
    size: z.number().default(0),
  })
  .transform(({ full_name: name, description, pushed_at, html_url: url, ...rest }): Repository => ({
    ...rest,
    name,
    url,
    description: description ?? null,
    pushed_at: pushed_at ?? null,
  }))

export const repositoryUrl = ({ GITHUB_URL }: Pick<Config, 'GITHUB_URL'>, repository: string) =>
  `${GITHUB_URL}/${repository}`

/** Encodes each segment; GitHub expects literal slashes. */
export const encodePath = (path: string) => path.split('/').map(encodeURIComponent).join('/')

/** Returns the API path by repository ID, which survives renames. */
export const repositoryPath = ({ repository_id: id }: RepositoryRef) => `/repositories/${id}`

export const getRepository = (ctx: Context, integration: Integration, name: string) =>
  readRepository(ctx, integration, name, `/repos/${name}`)

export const refreshRepository = (ctx: Context, integration: Integration, toRepositoryRef: RepositoryRef) =>
  readRepository(ctx, integration, toRepositoryRef.repository, repositoryPath(toRepositoryRef))

async function readRepository(
  ctx: Context,
  integration: Integration,
  name: string,
  path: string,
): Promise<Repository> {
  const scope = { permissions: { metadata: 'read' } } as const
  const missing = `The repository ${name} was not found on GitHub, or the account ${integration.account} does not give Slipway access.`
  return withNotFound(missing, async () => {
    const { value } = await readAsInstallation(ctx, integration, scope, { path }, repositoryAnswer)
    return value
  })
}

export const toRepositoryRef = ({ id, name }: Repository): RepositoryRef => ({
  repository_id: id,
  repository: name,
})

export async function readBranch(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  branch: string,
): Promise<{ head: Commit; isSkipped: boolean }> {
  const path = `branches/${encodePath(branch)}`
  return withNotFound(`The branch ${branch} was not found in ${repository.repository}.`, async () => {
    const { commit } = await readContents(ctx, integration, repository, path, branchAnswer)
    return { head: { ...presentCommit(commit), branch }, isSkipped: hasSkipMarker(commit.commit.message) }
  })
}

export const getBranchHead = async (...input: Parameters<typeof readBranch>): Promise<Commit> =>
  (await readBranch(...input)).head

export async function getCommit(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  ref: string,
): Promise<Commit> {
  const path = `commits/${encodePath(ref)}`
  return withNotFound(`The commit ${ref} was not found in ${repository.repository}.`, async () => {
    const commit = await readContents(ctx, integration, repository, path, commitAnswer)
    return { ...presentCommit(commit), branch: null }
  })
}

export const contentsAccess = (repository: RepositoryRef) =>
  ({ repository, permissions: { contents: 'read' } }) as const

export async function readContents<S extends z.ZodType>(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  path: string,
  schema: S,
): Promise<z.output<S>> {
  const request = { path: `${repositoryPath(repository)}/${path}` }
  return (await readAsInstallation(ctx, integration, contentsAccess(repository), request, schema)).value
}

/** GitHub returns 422 for an unknown commit and 409 for an empty repository. */
export async function withNotFound<T>(sentence: string, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!(error instanceof GitHubRequestFailed)) throw error
    const codes = error.code === 'github_not_found' ? [404] : [409, 422]
    throw codes.includes(error.answered) ? githubNotFound(sentence) : error
  }
}

const commitAnswer = z.object({
  sha: z.string(),
  html_url: z.string(),
  commit: z.object({ message: z.string(), author: z.object({ name: z.string() }).nullish() }),
  author: z.object({ login: z.string() }).nullish(),
})
const branchAnswer = z.object({ commit: commitAnswer })

const presentCommit = ({ sha, html_url: url, commit: details, author }: z.output<typeof commitAnswer>) => ({
  sha,
  message: (details.message.split('\n')[0] ?? '').slice(0, 500),
  author: author?.login ?? details.author?.name ?? null,
  url,
})

const answer = z.array(z.object({ name: z.string() }))

export async function listBranches(
  ctx: Context,
  integration: Integration,
  repository: Repository,
): Promise<string[]> {
  const ref = toRepositoryRef(repository)
  const path = `${repositoryPath(ref)}/branches?per_page=100`
  const all = await readAllPages(ctx, integration, contentsAccess(ref), path, answer)
  const { default_branch: first } = repository
  const names = all.map((branch) => branch.name)
  return names.toSorted((a, b) => Number(b === first) - Number(a === first))
}

const skipMarker = /\[skip[ -]deploy\]/i

/** Finds `[skip deploy]` in a commit message, like `[skip ci]` of CI services. */
export const hasSkipMarker = (message: string) => skipMarker.test(message)

/** Maximum number of files GitHub returns. */
const maxComparedFiles = 300
const compareAnswer = z.object({
  status: z.string(),
  files: z.array(z.object({ filename: z.string(), previous_filename: z.string().optional() })),
})

export async function listChangedFiles(
  ctx: Context,
  integration: Integration,
  repository: RepositoryRef,
  base: string,
  head: string,
): Promise<string[] | undefined> {
  const path = `compare/${encodeURIComponent(base)}...${encodeURIComponent(head)}?per_page=1`
  try {
    const { files, status } = await readContents(ctx, integration, repository, path, compareAnswer)
    // For diverged commits GitHub returns only one side of the changes.
    if (files.length >= maxComparedFiles || !['ahead', 'identical'].includes(status)) return undefined
    return files.flatMap((file) => [file.filename, file.previous_filename ?? []].flat())
  } catch (error) {
    if (error instanceof GitHubRequestFailed && error.code === 'github_not_found') return undefined
    throw error
  }
}
