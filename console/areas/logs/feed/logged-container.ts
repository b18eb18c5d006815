import type { LogLine } from './log-entry.ts'

/** One of several containers whose lines stand among each other. */
export interface LoggedContainer {
  id: string
  name: string
  /** When it was started last. */
  startedAt: string | undefined
}

/** What is left of each name without what all of them begin with: `3-1-k2f9` of `shop-3-1-k2f9`. */
export function shortNames(names: readonly string[]): Map<string, string> {
  const [first = '', ...others] = names
  const parts = first.split('-')
  let shared = 0
  const beginning = () => `${parts.slice(0, shared + 1).join('-')}-`
  while (shared < parts.length - 1 && others.every((name) => name.startsWith(beginning()))) shared += 1
  const cut = others.length === 0 ? 0 : parts.slice(0, shared).join('-').length + (shared > 0 ? 1 : 0)
  return new Map(names.map((name) => [name, name.slice(cut)]))
}

/** Colours of a terminal that tell one from the next. */
const colours = [36, 35, 34, 32, 33]

/** A line with the name of who said it before it, in a colour of theirs. */
export function prefixWithName(line: LogLine, name: string, index: number): LogLine {
  const colour = colours[index % colours.length]
  // What was written over has to stay so: it is shown as it is read.
  const raw = line.raw?.includes('\r')
    ? undefined
    : `\u001b[${colour}m${name}\u001b[0m ${line.raw ?? line.text}`
  return { ...line, text: `${name} ${line.text}`, raw }
}
