import { type BufferLimits, createLineBuffer } from './line-buffer.ts'
import { formatLineCount } from './format-line-count.ts'
import type { LogEntry } from './log-entry.ts'

interface State {
  /** Numbers of the first line and of the next one. A line keeps its number when earlier ones are dropped. */
  first: number
  end: number
  /** Number of lines without notes. */
  lines: number
  /** Total characters. */
  characters: number
  /** Why there is nothing before the first line. */
  before: 'all' | 'dropped' | 'cleared'
  /** Length of the longest line. */
  widest: number
  paused: boolean
  /** Lines that arrived during the pause. */
  held: number
  /** Changes at most once per frame. */
  version: number
}

export interface LogStore extends Readonly<State> {
  get: (number: number) => LogEntry | undefined
  add: (entries: readonly LogEntry[]) => void
  pause: () => void
  resume: () => void
  clear: () => void
  subscribe: (listener: () => void) => () => void
}

/** More lines would exceed the maximum height of an element in browsers. */
export const maxStored: BufferLimits = { lines: 200_000, characters: 40_000_000 }
const mostHeld: BufferLimits = { lines: 50_000, characters: 10_000_000 }

export function createLogStore(most = maxStored, mostDuringPause = mostHeld): LogStore {
  const listeners = new Set<() => void>()
  const kept = createLineBuffer(most)
  const held = createLineBuffer(mostDuringPause)
  let [skipped, frame] = [0, 0]
  const state: State = {
    first: 0,
    end: 0,
    lines: 0,
    characters: 0,
    before: 'all',
    widest: 0,
    paused: false,
    held: 0,
    version: 0,
  }

  /** Listeners are notified once per frame. */
  function tell() {
    frame ||= requestAnimationFrame(() => {
      frame = 0
      state.version += 1
      for (const listener of listeners) listener()
    })
  }

  function take(entries: readonly LogEntry[]) {
    const gone = kept.add(entries)
    state.first += gone
    state.end += entries.length
    state.lines = kept.lines
    state.characters = kept.characters
    if (gone > 0) state.before = 'dropped'
    for (const { text } of entries) state.widest = Math.max(state.widest, text.length)
  }

  return Object.assign(state, {
    get: (number: number) => kept.entries[number - state.first],
    add(entries: readonly LogEntry[]) {
      if (state.paused) {
        skipped += held.add(entries)
        state.held = held.lines + skipped
      } else take(entries)
      tell()
    },
    pause() {
      state.paused = true
      tell()
    },
    resume() {
      if (skipped > 0)
        take([
          {
            kind: 'note',
            text: `${formatLineCount(skipped, 'line was', 'lines were')} skipped during the pause.`,
          },
        ])
      take(held.takeAll())
      Object.assign(state, { paused: false, held: 0 })
      skipped = 0
      tell()
    },
    clear() {
      kept.takeAll()
      held.takeAll()
      const nothing = { lines: 0, characters: 0, widest: 0, held: 0 }
      Object.assign(state, nothing, { first: state.end, before: 'cleared' })
      skipped = 0
      tell()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
}
