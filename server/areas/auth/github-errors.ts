import { Problem } from '../../errors.ts'

/** GitHub rejected a request; `answered` is the status code. */
export class GitHubRequestFailed extends Problem {
  readonly answered: number

  constructor(answered: number, status: number, code: string, sentence: string) {
    super(status, code, sentence)
    this.answered = answered
  }
}

/** Rate limit of GitHub reached. */
export class GitHubRateLimited extends Problem {
  readonly retryAt: Date

  constructor(retryAt: Date) {
    const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000))
    const time = retryAt.toISOString().slice(11, 16)
    super(503, 'github_rate_limit', `GitHub rate limit reached. Try again after ${time} UTC.`, seconds)
    this.retryAt = retryAt
  }
}

export const githubKeysWrong = () =>
  new GitHubRequestFailed(
    401,
    502,
    'github_keys_wrong',
    'GitHub rejected the credentials of this instance. The operator must correct GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY if they are set, or remove the GitHub App and create it again.',
  )

export const githubNotFound = (what: string, answered = 404) =>
  new GitHubRequestFailed(answered, 404, 'github_not_found', what)

/** Access was lost at GitHub; `why` explains what to do. */
export const githubAccessLost = (answered: number, why: string) =>
  new GitHubRequestFailed(answered, 409, 'github_access_lost', why)
