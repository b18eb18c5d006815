export interface Query {
  text: string
  regex: boolean
}

export type MatchRange = readonly [from: number, to: number]

/** Case-insensitive; undefined for an invalid regular expression. */
export function toPattern({ text, regex }: Query): RegExp | undefined {
  try {
    return new RegExp(regex ? text : text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'gi')
  } catch {
    return undefined
  }
}

/** Ignores empty matches, such as of `a*`. */
export function findMatches(text: string, pattern: RegExp, most = 200): MatchRange[] {
  const ranges: MatchRange[] = []
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (found !== '') ranges.push([index, index + found.length])
    if (ranges.length >= most) break
  }
  return ranges
}

/** Searches the shown part separately, as the highlighting does. */
export function hasMatch(text: string, pattern: RegExp, shown: number): boolean {
  const seen = text.slice(0, shown)
  return (
    findMatches(seen, pattern).length > 0 || (text.length > shown && findMatches(text, pattern, 1).length > 0)
  )
}
