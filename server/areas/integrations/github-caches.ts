import type { AppFacts } from './app-facts.ts'
import type { Repository } from './repository.ts'
import type { CachedToken } from './token.ts'

/** Caches answers of GitHub, so that pages and searches do not use up its rate limit. */
export interface GitHubCaches {
  app: { id: number; facts: AppFacts; until: number } | undefined
  /** By installation. */
  repositories: Map<number, { found: Promise<Repository[]>; until: number }>
  /** By installation, repository and permissions. */
  tokens: Map<string, CachedToken>
}

export const createGitHubCaches = (): GitHubCaches => ({
  app: undefined,
  repositories: new Map(),
  tokens: new Map(),
})
