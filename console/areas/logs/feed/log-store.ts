import { formatLineCount } from '../format-line.ts'
import type { LogEntry } from './log-entry.ts'

interface State {
  /** Numbers of the first line and of the next new one. Lines keep their numbers when earlier lines are dropped. */
  first: number
  end: number
  lines: number
  characters: number
  /** Reason why no line precedes the first one. */
  before: 'all' | 'dropped' | 'cleared'
  widest: number
  paused: boolean
  held: number
  /** The version changes at most once per frame, so that many new lines cause a single render. */
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

  function notify() {
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
      notify()
    },
    pause() {
      state.paused = true
      notify()
    },
    resume() {
      if (skipped > 0)
        take([
          {
            kind: 'note',
            text: `${formatLineCount(skipped, 'line was', 'lines were')} skipped while the log was paused.`,
          },
        ])
      take(held.takeAll())
      Object.assign(state, { paused: false, held: 0 })
      skipped = 0
      notify()
    },
    clear() {
      kept.takeAll()
      held.takeAll()
      const nothing = { lines: 0, characters: 0, widest: 0, held: 0 }
      Object.assign(state, nothing, { first: state.end, before: 'cleared' })
      skipped = 0
      notify()
    },
    subscribe(listener: () => void) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  })
}

interface BufferLimits {
  lines: number
  characters: number
}

interface LineBuffer {
  readonly entries: readonly LogEntry[]
  readonly lines: number
  readonly characters: number
  add: (entries: readonly LogEntry[]) => number
  isFull: () => boolean
  takeAll: () => LogEntry[]
}

/** Share of lines that a full buffer drops at once, so that not every new line moves all others. */
const slack = 0.05

function createLineBuffer(most: BufferLimits): LineBuffer {
  let entries: LogEntry[] = []
  let characters = 0
  let lines = 0

  function makeRoom(): number {
    const few = most.lines * (1 - slack)
    const light = most.characters * (1 - slack)
    let gone = 0
    while (entries.length - gone > few || characters > light) {
      const entry = entries[gone++]
      characters -= sizeOf(entry)
      if (entry?.kind === 'line') lines -= 1
    }
    entries.splice(0, gone)
    return gone
  }

  const isFull = () => entries.length > most.lines || characters > most.characters
  return {
    get entries() {
      return entries
    },
    get lines() {
      return lines
    },
    get characters() {
      return characters
    },
    add(more) {
      let gone = 0
      for (const entry of more) {
        entries.push(entry)
        characters += sizeOf(entry)
        if (entry.kind === 'line') lines += 1
        if (isFull()) gone += makeRoom()
      }
      return gone
    },
    isFull,
    takeAll() {
      const all = entries
      entries = []
      characters = 0
      lines = 0
      return all
    },
  }
}

const sizeOf = (entry: LogEntry | undefined) =>
  entry === undefined ? 0 : entry.text.length + (entry.kind === 'line' ? (entry.raw?.length ?? 0) : 0)
