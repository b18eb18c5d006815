import type { LogEntry, LogLine } from './log-entry.ts'

/** The history counts as complete after `quiet` milliseconds without a line, or after `longest` at most. */
const quiet = 300
const longest = 3_000
/** Milliseconds that a line waits for earlier lines of other containers. */
const pause = 150

interface HeldEntry {
  at: string
  entry: LogEntry
}

export function createInterleaver(add: (entries: readonly LogEntry[]) => void) {
  let held: HeldEntry[] = []
  let isBeginning = true
  let soon: ReturnType<typeof setTimeout> | undefined
  let latest: ReturnType<typeof setTimeout> | undefined

  function stop() {
    clearTimeout(soon)
    clearTimeout(latest)
    soon = undefined
    latest = undefined
  }

  function flush() {
    stop()
    const all = held.toSorted((a, b) => (a.at < b.at ? -1 : a.at > b.at ? 1 : 0))
    held = []
    isBeginning = false
    add(all.map(({ entry }) => entry))
  }

  return {
    push(entries: readonly LogEntry[], at: string) {
      for (const entry of entries)
        held.push({ at: (entry.kind === 'line' ? entry.at : undefined) ?? at, entry })
      if (isBeginning) {
        clearTimeout(soon)
        soon = setTimeout(flush, quiet)
        latest ??= setTimeout(flush, longest)
      } else soon ??= setTimeout(flush, pause)
    },
    begin() {
      isBeginning = true
    },
    stop,
  }
}

export interface LoggedContainer {
  id: string
  name: string
  startedAt: string | undefined
}

/** Removes the common prefix: `shop-3-1-k2f9` becomes `3-1-k2f9`. */
export function shortNames(names: readonly string[]): Map<string, string> {
  const [first = '', ...others] = names
  const parts = first.split('-')
  let shared = 0
  const beginning = () => `${parts.slice(0, shared + 1).join('-')}-`
  while (shared < parts.length - 1 && others.every((name) => name.startsWith(beginning()))) shared += 1
  const prefixLength =
    others.length === 0 ? 0 : parts.slice(0, shared).join('-').length + (shared > 0 ? 1 : 0)
  return new Map(names.map((name) => [name, name.slice(prefixLength)]))
}

const colours = [36, 35, 34, 32, 33]

export function prefixWithName(line: LogLine, name: string, index: number): LogLine {
  const colour = colours[index % colours.length]
  // A carriage return would overwrite the name before the line, so use the parsed text.
  const raw = line.raw?.includes('\r')
    ? undefined
    : `\u001b[${colour}m${name}\u001b[0m ${line.raw ?? line.text}`
  return { ...line, text: `${name} ${line.text}`, raw }
}
