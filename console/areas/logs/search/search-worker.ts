import { maxShownLength } from '../feed/log-entry.ts'
import { type Query, hasMatch, toPattern } from './matcher.ts'

export interface Question {
  query: Query
  texts: string[]
}

/**
 * `ready` once, when it was loaded. Then which of the texts it stands in; or that one of them took too long to be looked
 * at again where it is drawn.
 */
export type Answer = 'ready' | 'slow' | number[]

/** For one line. */
const longest = 50

/** Away from the page: a regular expression may take for ever, and only a worker can be ended meanwhile. */
self.addEventListener('message', ({ data }: MessageEvent<Question>) => say(answer(data)))
say('ready')

function say(words: Answer) {
  // oxlint-disable-next-line require-post-message-target-origin -- a worker has no other origin
  self.postMessage(words)
}

function answer({ query, texts }: Question): Answer {
  const pattern = toPattern(query)
  if (!pattern) return []
  const found: number[] = []
  for (const [index, text] of texts.entries()) {
    const isHit = timely(() => hasMatch(text, pattern, maxShownLength))
    if (isHit === undefined && query.regex) return 'slow'
    if (isHit ?? hasMatch(text, pattern, maxShownLength)) found.push(index)
  }
  return found
}

/** Undefined when it took too long three times: on a busy machine anything may take long once. */
function timely(work: () => boolean): boolean | undefined {
  for (let tries = 0; tries < 3; tries++) {
    const begin = performance.now()
    const result = work()
    if (performance.now() - begin < longest) return result
  }
  return undefined
}
