import { LRUCache } from 'lru-cache'
import type { GitHubAppDetails } from './installation-token.ts'
import type { Repository } from './repository.ts'

/** Searches while typing and reloads within a minute share one response. */
const ttl = 60_000

/** Caches responses of GitHub, so that pages and searches do not use up its rate limit. */
export interface GitHubCaches {
  facts: LRUCache<number, GitHubAppDetails>
  repositories: LRUCache<number, Promise<Repository[]>>
  tokens: LRUCache<string, string>
}

export const createGitHubCaches = (): GitHubCaches => ({
  facts: new LRUCache({ max: 10, ttl }),
  repositories: new LRUCache({ max: 1_000, ttl }),
  tokens: new LRUCache({ max: 1_000 }),
})
