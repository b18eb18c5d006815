import { type Query, toPattern } from './matcher.ts'
import type { SearchResponse, SearchRequest } from './search-worker.ts'

/** Milliseconds for a batch of texts, after which a regular expression is too slow and the worker is terminated. */
const answerTimeoutMs = 5_000
const mostTexts = 2_000
const mostCharacters = 500_000

export interface Search {
  problem: string | undefined
  /** Sends the next texts unless a response is pending. */
  sendNext: () => void
  stop: () => void
}

interface SearchOptions {
  query: Query
  next: () => { number: number; text: string } | undefined
  onFound: (numbers: number[]) => void
  onProblem: () => void
}

export function createSearch({ query, next, onFound, onProblem }: SearchOptions): Search {
  let worker: Worker | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  let batch: { numbers: number[]; texts: string[] } | undefined

  const search: Search = { problem: undefined, sendNext, stop }
  if (!toPattern(query)) search.problem = 'Invalid regular expression. Check its brackets and backslashes.'
  return search

  function sendNext() {
    if (search.problem !== undefined || (batch && worker)) return
    // A terminated worker never answers, so send its texts again.
    batch ??= takeTexts()
    if (!batch) return
    if (worker) sendBatch()
    else worker = makeWorker()
  }

  function takeTexts(): typeof batch {
    const [numbers, texts]: [number[], string[]] = [[], []]
    let characters = 0
    while (texts.length < mostTexts && characters < mostCharacters) {
      const candidate = next()
      if (!candidate) break
      numbers.push(candidate.number)
      texts.push(candidate.text)
      characters += candidate.text.length
    }
    return texts.length === 0 ? undefined : { numbers, texts }
  }

  function makeWorker() {
    const newWorker = new Worker(new URL('search-worker.ts', import.meta.url), { type: 'module' })
    newWorker.addEventListener('message', ({ data }: MessageEvent<SearchResponse>) => handleResponse(data))
    newWorker.addEventListener('error', () =>
      giveUp('Could not search the log. Check your connection and try again.'),
    )
    return newWorker
  }

  function sendBatch() {
    if (!batch) return
    // oxlint-disable-next-line require-post-message-target-origin -- a worker has no other origin
    worker?.postMessage({ query, texts: batch.texts } satisfies SearchRequest)
    if (query.regex) timer = setTimeout(() => giveUp(tooLong), answerTimeoutMs)
  }

  function handleResponse(response: SearchResponse) {
    clearTimeout(timer)
    if (response === 'ready') sendBatch()
    else if (response === 'slow') giveUp(tooLong)
    else {
      const numbers = batch?.numbers ?? []
      batch = undefined
      onFound(response.flatMap((index) => numbers[index] ?? []))
      sendNext()
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

const tooLong = 'This regular expression is too slow. Simplify it.'
