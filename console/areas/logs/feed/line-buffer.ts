import type { LogEntry } from './log-entry.ts'

export interface BufferLimits {
  lines: number
  characters: number
}

export interface LineBuffer {
  readonly entries: readonly LogEntry[]
  /** Number of lines, without notes. */
  readonly lines: number
  readonly characters: number
  /** Returns the number of dropped entries. */
  add: (entries: readonly LogEntry[]) => number
  isFull: () => boolean
  takeAll: () => LogEntry[]
}

/** Drops lines in bulk, so that not every new line moves all others. */
const slack = 0.05

/** Keeps the latest entries within the limits. */
export function createLineBuffer(most: BufferLimits): LineBuffer {
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
