import type { Change, FileContent, Repository } from './bare.ts'
import { commit, git, initBare, resolve } from './bare.ts'
import { storeLfs } from './lfs.ts'
import { findRepository, type GitHubAccount, type State } from './state.ts'
import { pushPayload, type Sent, sendOf } from './webhooks.ts'

export interface Pushing extends Partial<Omit<Change, 'author'>> {
  /** Who pushes: the owner, unless told. */
  by?: string
  author?: { name: string; email: string }
}

/** What a test does with repositories, as people do with git and on GitHub's pages. */
export function repositoriesOf(state: State) {
  function get(fullName: string): Repository {
    const found = findRepository(state, fullName)
    if (!found) throw new Error(`There is no repository ${fullName}.`)
    return found
  }
  const accountOf = (login: string): GitHubAccount => {
    const found = state.accounts.get(login)
    if (!found) throw new Error(`There is no account ${login}.`)
    return found
  }
  const pusherOf = (repository: Repository, by?: string) => (by ? accountOf(by) : repository.owner)

  function write(repository: Repository, { by, author, ...change }: Pushing): Promise<string> {
    const pusher = pusherOf(repository, by)
    return commit(repository, {
      branch: repository.defaultBranch,
      files: {},
      message: 'Change',
      author: author ?? {
        name: pusher.name ?? pusher.login,
        email: pusher.emails[0]?.email ?? `${pusher.login}@example.com`,
      },
      ...change,
    })
  }

  async function moved(
    repository: Repository,
    ref: string,
    before: string | undefined,
    after: string | undefined,
    by: string | undefined,
    options?: Parameters<typeof sendOf>[5],
  ) {
    repository.pushedAt = new Date()
    const pusher = pusherOf(repository, by)
    const payload = await pushPayload(state, repository, { ref, before, after, pusher })
    return sendOf(state, repository, 'push', payload, pusher, options)
  }

  return {
    /** A repository with these files in its first commit; with none it is empty. */
    async addRepository(
      fullName: string,
      files: Record<string, FileContent> = { 'README.md': `# ${fullName}\n` },
      given: Partial<Pick<Repository, 'private' | 'description' | 'defaultBranch' | 'pushedAt'>> = {},
    ): Promise<Repository> {
      const [login = '', name = ''] = fullName.split('/')
      const id = state.nextId()
      const repository: Repository = {
        id,
        owner: accountOf(login),
        name,
        fullName,
        private: true,
        description: null,
        defaultBranch: 'main',
        pushedAt: new Date(),
        path: await initBare(state.folder, `${id}.git`),
        ...given,
      }
      state.repositories.push(repository)
      if (Object.keys(files).length > 0) await write(repository, { files, message: 'First' })
      return repository
    },
    /** Keeps a file beside a repository, as Git LFS does; what stands for it in a commit is given back. */
    storeLfs: (fullName: string, content: Buffer): Promise<string> => storeLfs(get(fullName), content),
    /** A commit on a branch that nobody is told of. */
    commit: (fullName: string, change: Pushing = {}): Promise<string> => write(get(fullName), change),
    /** A commit on a branch, pushed: those who listen are told. With `from` it may be a forced one. */
    async push(
      fullName: string,
      change: Pushing = {},
      options?: Parameters<typeof sendOf>[5],
    ): Promise<{ sha: string; sent: Sent[] }> {
      const repository = get(fullName)
      const branch = change.branch ?? repository.defaultBranch
      const before = await resolve(repository.path, branch)
      const sha = await write(repository, change)
      return { sha, sent: await moved(repository, `refs/heads/${branch}`, before, sha, change.by, options) }
    },
    /** A tag at a commit or a branch, pushed. */
    async pushTag(fullName: string, tag: string, at?: string, by?: string) {
      const repository = get(fullName)
      const sha = await resolve(repository.path, at ?? repository.defaultBranch)
      if (!sha) throw new Error(`There is no ${at} in ${fullName}.`)
      await git(repository.path, ['update-ref', `refs/tags/${tag}`, sha])
      return { sha, sent: await moved(repository, `refs/tags/${tag}`, undefined, sha, by) }
    },
    async deleteBranch(fullName: string, branch: string, by?: string): Promise<Sent[]> {
      const repository = get(fullName)
      const before = await resolve(repository.path, branch)
      await git(repository.path, ['update-ref', '-d', `refs/heads/${branch}`])
      return moved(repository, `refs/heads/${branch}`, before, undefined, by)
    },
    /** Throws away what no branch leads to any more, as the real one does some day after a forced push. */
    async forget(fullName: string) {
      const { path } = get(fullName)
      await git(path, ['reflog', 'expire', '--expire=now', '--all'])
      await git(path, ['gc', '--quiet', '--prune=now'])
    },
    async renameRepository(fullName: string, name: string): Promise<Sent[]> {
      const repository = get(fullName)
      state.formerNames.set(fullName.toLowerCase(), repository)
      const from = repository.name
      repository.name = name
      repository.fullName = `${repository.owner.login}/${name}`
      const payload = { action: 'renamed', changes: { repository: { name: { from } } } }
      return sendOf(state, repository, 'repository', payload, repository.owner)
    },
    deleteRepository(fullName: string) {
      state.repositories.splice(state.repositories.indexOf(get(fullName)), 1)
    },
  }
}
