import { Problem } from '../../errors.ts'

/** GitHub answered, and that was a no; `answered` is its status. */
export class GitHubRefused extends Problem {
  readonly answered: number

  constructor(answered: number, status: number, code: string, sentence: string) {
    super(status, code, sentence)
    this.answered = answered
  }
}

/** GitHub takes no more calls until then. */
export class GitHubLimited extends Problem {
  readonly retryAt: Date

  constructor(retryAt: Date) {
    const seconds = Math.max(1, Math.ceil((retryAt.getTime() - Date.now()) / 1000))
    const time = retryAt.toISOString().slice(11, 16)
    super(
      503,
      'github_rate_limit',
      `GitHub takes no more calls of this Slipway until ${time} UTC: it has made as many as GitHub allows in an hour. Try again then.`,
      seconds,
    )
    this.retryAt = retryAt
  }
}

export const githubKeysWrong = () =>
  new GitHubRefused(
    401,
    502,
    'github_keys_wrong',
    'GitHub does not accept the keys of this Slipway. Its operator has to correct those of the GitHub App: GITHUB_CLIENT_ID, GITHUB_CLIENT_SECRET, GITHUB_APP_ID and GITHUB_APP_PRIVATE_KEY where they are set, else by setting up the App once more.',
  )

export const githubNotFound = (what: string, answered = 404) =>
  new GitHubRefused(answered, 404, 'github_not_found', what)

/** Somebody took at GitHub what Slipway needs; `why` says who has to do what. */
export const githubAccessLost = (answered: number, why: string) =>
  new GitHubRefused(answered, 409, 'github_access_lost', why)
