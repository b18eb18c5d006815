import { maxShownLength } from '../feed/log-entry.ts'
import { type Query, hasMatch, toPattern } from './matcher.ts'

export interface SearchRequest {
  query: Query
  texts: string[]
}

/**
 * The worker sends `ready` once after loading. Then it sends the indexes of matching texts, or `slow` if a text takes
 * too long to be searched again for highlighting.
 */
export type SearchResponse = 'ready' | 'slow' | number[]

const maxMs = 50

/** The search runs in a worker, because only a worker can be terminated when a regular expression hangs. */
self.addEventListener('message', ({ data }: MessageEvent<SearchRequest>) => say(answer(data)))
say('ready')

function say(words: SearchResponse) {
  // oxlint-disable-next-line require-post-message-target-origin -- a worker has no other origin
  self.postMessage(words)
}

function answer({ query, texts }: SearchRequest): SearchResponse {
  const pattern = toPattern(query)
  if (!pattern) return []
  const hits: number[] = []
  for (const [index, text] of texts.entries()) {
    const isHit = timely(() => hasMatch(text, pattern, maxShownLength))
    if (isHit === undefined && query.regex) return 'slow'
    if (isHit ?? hasMatch(text, pattern, maxShownLength)) hits.push(index)
  }
  return hits
}

/** Returns undefined only after three slow attempts, because a busy machine may cause a single one. */
function timely(work: () => boolean): boolean | undefined {
  for (let tries = 0; tries < 3; tries++) {
    const begin = performance.now()
    const result = work()
    if (performance.now() - begin < maxMs) return result
  }
  return undefined
}
