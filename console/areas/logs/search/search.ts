import { type Query, toPattern } from './matcher.ts'
import type { SearchResponse, SearchRequest } from './search-worker.ts'

/** Milliseconds per batch of a regular expression, after which the worker is terminated. */
const answerTimeoutMs = 5_000
const mostTexts = 2_000
const mostCharacters = 500_000

export interface Search {
  /** Reason why the search stopped. */
  problem: string | undefined
  /** Sends the next texts unless an answer is pending. */
  goOn: () => void
  stop: () => void
}

interface SearchOptions {
  query: Query
  /** The next text to search, with its number. */
  next: () => { number: number; text: string } | undefined
  onFound: (numbers: number[]) => void
  onProblem: () => void
}

/** Searches in batches on a worker thread. */
export function createSearch({ query, next, onFound, onProblem }: SearchOptions): Search {
  let worker: Worker | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let asked: { numbers: number[]; texts: string[] } | undefined

  const search: Search = { problem: undefined, goOn, stop }
  if (!toPattern(query)) search.problem = 'Invalid regular expression. Check brackets and backslashes.'
  return search

  function goOn() {
    if (search.problem !== undefined || (asked && worker)) return
    // Texts sent to a terminated worker are sent again.
    asked ??= takeTexts()
    if (!asked) return
    if (worker) ask()
    else worker = makeWorker()
  }

  function takeTexts(): typeof asked {
    const [numbers, texts]: [number[], string[]] = [[], []]
    let characters = 0
    while (texts.length < mostTexts && characters < mostCharacters) {
      const found = next()
      if (!found) break
      numbers.push(found.number)
      texts.push(found.text)
      characters += found.text.length
    }
    return texts.length === 0 ? undefined : { numbers, texts }
  }

  function makeWorker() {
    const made = new Worker(new URL('search-worker.ts', import.meta.url), { type: 'module' })
    made.addEventListener('message', ({ data }: MessageEvent<SearchResponse>) => hear(data))
    made.addEventListener('error', () =>
      giveUp('Couldn’t load the search. Check your connection and try again.'),
    )
    return made
  }

  function ask() {
    if (!asked) return
    // oxlint-disable-next-line require-post-message-target-origin -- a worker has no other origin
    worker?.postMessage({ query, texts: asked.texts } satisfies SearchRequest)
    if (query.regex) timer = setTimeout(() => giveUp(tooLong), answerTimeoutMs)
  }

  function hear(answer: SearchResponse) {
    clearTimeout(timer)
    if (answer === 'ready') ask()
    else if (answer === 'slow') giveUp(tooLong)
    else {
      const numbers = asked?.numbers ?? []
      asked = undefined
      onFound(answer.flatMap((index) => numbers[index] ?? []))
      goOn()
    }
  }

  function giveUp(problem: string) {
    search.problem = problem
    stop()
    onProblem()
  }

  function stop() {
    clearTimeout(timer)
    worker?.terminate()
    worker = undefined
  }
}

const tooLong = 'This expression takes too long to evaluate. Simplify it.'
