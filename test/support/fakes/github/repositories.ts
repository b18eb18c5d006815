import type { Change, FileContent, Repository } from './bare.ts'
import { commit, git, initBare, resolve } from './bare.ts'
import { storeLfs } from './lfs.ts'
import { findRepository, type GitHubAccount, type State } from './state.ts'
import { type DeliveryOptions, pushPayload, type SentDelivery, sendOf } from './webhooks.ts'

export interface Push extends Partial<Change> {
  /** The user who pushes; the owner by default. */
  by?: string
}

/** Actions of users on repositories, with git and on the web site. */
export function repositoriesOf(state: State) {
  function get(fullName: string): Repository {
    const found = findRepository(state, fullName)
    if (!found) throw new Error(`There is no repository ${fullName}.`)
    return found
  }
  function getAccount(login: string): GitHubAccount {
    const found = state.accounts.get(login)
    if (!found) throw new Error(`There is no account ${login}.`)
    return found
  }
  const pusherOf = ({ owner }: Repository, by?: string) => (by ? getAccount(by) : owner)

  function write(repository: Repository, { by, ...change }: Push): Promise<string> {
    const { name, login, emails } = pusherOf(repository, by)
    const author = { name: name ?? login, email: emails[0]?.email ?? `${login}@example.com` }
    return commit(repository, {
      branch: repository.defaultBranch,
      files: {},
      message: 'Change',
      author,
      ...change,
    })
  }

  interface Update {
    ref: string
    before?: string | undefined
    after?: string | undefined
    by?: string | undefined
  }

  async function sendPush(
    repository: Repository,
    { ref, before, after, by }: Update,
    options?: DeliveryOptions,
  ) {
    repository.pushedAt = new Date()
    const pusher = pusherOf(repository, by)
    const payload = await pushPayload(state, repository, { ref, before, after, pusher })
    return sendOf(state, repository, 'push', payload, pusher, options)
  }

  return {
    /** Adds a repository with these files in its first commit; without files it is empty. */
    async addRepository(
      fullName: string,
      files: Record<string, FileContent> = { 'README.md': `# ${fullName}\n` },
      given: Partial<Pick<Repository, 'private' | 'description' | 'defaultBranch' | 'pushedAt'>> = {},
    ): Promise<Repository> {
      const [login = '', name = ''] = fullName.split('/')
      const id = state.nextId()
      const repository: Repository = {
        id,
        owner: getAccount(login),
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
    /** Stores a file in Git LFS and gives its pointer file. */
    storeLfs: (fullName: string, content: Buffer): Promise<string> => storeLfs(get(fullName), content),
    /** Commits to a branch without a webhook. */
    commit: (fullName: string, change: Push = {}): Promise<string> => write(get(fullName), change),
    /** Pushes a commit to a branch, with webhooks. With `from` the push may be forced. */
    async push(fullName: string, change: Push = {}, options?: DeliveryOptions) {
      const repository = get(fullName)
      const branch = change.branch ?? repository.defaultBranch
      const before = await resolve(repository.path, branch)
      const sha = await write(repository, change)
      const update = { ref: `refs/heads/${branch}`, before, after: sha, by: change.by }
      return { sha, sent: await sendPush(repository, update, options) }
    },
    /** Pushes a tag of a commit or a branch. */
    async pushTag(fullName: string, tag: string, at?: string) {
      const repository = get(fullName)
      const sha = await resolve(repository.path, at ?? repository.defaultBranch)
      if (!sha) throw new Error(`There is no ${at} in ${fullName}.`)
      await git(repository.path, ['update-ref', `refs/tags/${tag}`, sha])
      return { sha, sent: await sendPush(repository, { ref: `refs/tags/${tag}`, after: sha }) }
    },
    async deleteBranch(fullName: string, branch: string): Promise<SentDelivery[]> {
      const repository = get(fullName)
      const before = await resolve(repository.path, branch)
      await git(repository.path, ['update-ref', '-d', `refs/heads/${branch}`])
      return sendPush(repository, { ref: `refs/heads/${branch}`, before })
    },
    /** Deletes unreachable commits, as GitHub does some time after a forced push. */
    async forget(fullName: string) {
      const { path } = get(fullName)
      await git(path, ['reflog', 'expire', '--expire=now', '--all'])
      await git(path, ['gc', '--quiet', '--prune=now'])
    },
    async renameRepository(fullName: string, name: string): Promise<SentDelivery[]> {
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
