import type { LogEntry } from '../feed/log-entry.ts'
import type { OutputOrigin } from '../../../../contract/shared/output-origins.ts'
import type { LogStore } from '../feed/log-store.ts'
import type { Query } from './matcher.ts'
import { type Search, createSearch } from './search.ts'

export interface FilterCriteria {
  /** The value `none` selects lines without a level. Without a set, lines of all levels are selected. */
  levels: ReadonlySet<string> | undefined
  query: Query | undefined
  /** Without an origin, lines of all origins are selected. */
  origin?: OutputOrigin | undefined
}

export interface LineFilter {
  readonly criteria: FilterCriteria
  /** Returns the numbers of the selected lines, or of matches only; undefined if all lines are shown. */
  shown: (onlyHits: boolean) => readonly number[] | undefined
  readonly hits: readonly number[]
  readonly problem: string | undefined
  readonly done: boolean
  update: () => void
  stop: () => void
}

export function createLineFilter(
  store: LogStore,
  criteria: FilterCriteria,
  onChange: () => void,
): LineFilter {
  const { levels, query, origin } = criteria
  const selects = levels !== undefined || origin !== undefined
  let passed: number[] = []
  let hits: number[] = []
  let [filtered, searched] = [store.first, store.first]
  let search: Search | undefined
  let done = false

  function passes(entry: LogEntry | undefined) {
    if (!entry || entry.kind === 'note') return entry !== undefined
    return (levels?.has(entry.level ?? 'none') ?? true) && (origin === undefined || entry.origin === origin)
  }

  function next() {
    for (searched = Math.max(searched, store.first); searched < store.end; searched++) {
      const entry = store.get(searched)
      if (entry?.kind === 'line' && passes(entry)) return { number: searched++, text: entry.text }
    }
    return undefined
  }

  if (query)
    search = createSearch({
      query,
      next,
      onFound: (numbers) => {
        for (const number of numbers) hits.push(number)
        done ||= searched >= store.end
        onChange()
      },
      onProblem: onChange,
    })

  return {
    criteria,
    shown(onlyHits) {
      if (onlyHits && search && search.problem === undefined) return hits
      return selects ? passed : undefined
    },
    get hits() {
      return hits
    },
    get problem() {
      return search?.problem
    },
    get done() {
      return done
    },
    update() {
      passed = since(passed, store.first)
      hits = since(hits, store.first)
      if (selects)
        for (filtered = Math.max(filtered, store.first); filtered < store.end; filtered++)
          if (passes(store.get(filtered))) passed.push(filtered)
      search?.sendNext()
    },
    stop: () => search?.stop(),
  }
}

/** Drops numbers below `first`. Returns the same array if there are none, so that nothing renders again. */
function since(numbers: number[], first: number): number[] {
  const at = (numbers[0] ?? first) < first ? lowerBound(numbers, first) : 0
  return at === 0 ? numbers : numbers.slice(at)
}

export function lowerBound(numbers: readonly number[], number: number): number {
  let [low, high] = [0, numbers.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((numbers[middle] ?? 0) < number) low = middle + 1
    else high = middle
  }
  return low
}

export function nextHit(hits: readonly number[], number: number, by: 1 | -1): number | undefined {
  const at = lowerBound(hits, by === 1 ? number + 1 : number)
  return hits.at((by === 1 ? at : at - 1) % Math.max(1, hits.length))
}
