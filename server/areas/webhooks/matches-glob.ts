/** `*` and `?` stay within a folder, `**` spans folders, a folder matches all in it. Runs in O(pattern × path). */
export function matchesGlob(path: string, pattern: string): boolean {
  const parts = pattern.split('/').filter((part) => part !== '' && part !== '.')
  return parts.length > 0 && matchesSequence(path.split('/'), [...parts, '**'], isAnyFolder, matchesPart)
}

/** The last matching pattern decides; a leading `!` excludes. */
export function matchesAny(path: string, patterns: string[]): boolean {
  const [first] = patterns
  let counts = first?.startsWith('!') ?? false
  for (const pattern of patterns) {
    const not = pattern.startsWith('!')
    if (counts === not && matchesGlob(path, not ? pattern.slice(1) : pattern)) counts = !not
  }
  return counts
}

/** Matches a tag name, in which a slash is an ordinary character. */
export const matchesName = (name: string, pattern: string) => matchesPart(name, pattern.replaceAll('**', '*'))

const isAnyFolder = (part: string) => part === '**'

const matchesPart = (part: string, pattern: string) =>
  matchesSequence(
    Array.from(part),
    Array.from(pattern),
    (sign) => sign === '*',
    (sign, expected) => expected === '?' || expected === sign,
  )

/** Backtracks to the last wildcard only, which is sufficient for globs. */
function matchesSequence(
  items: string[],
  pattern: string[],
  isWild: (sign: string) => boolean,
  isOne: (sign: string, wanted: string) => boolean,
): boolean {
  let [index, next, wild, taken] = [0, 0, -1, 0]
  while (index < items.length) {
    const sign = pattern[next]
    if (sign !== undefined && isWild(sign)) {
      ;[wild, taken] = [next, index]
      next++
    } else if (sign !== undefined && isOne(items[index] ?? '', sign)) {
      index++
      next++
    } else if (wild >= 0) {
      taken++
      index = taken
      next = wild + 1
    } else return false
  }
  return pattern.slice(next).every(isWild)
}
