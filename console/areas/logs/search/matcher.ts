export interface Query {
  text: string
  regex: boolean
}

export type MatchRange = readonly [from: number, to: number]

/** Returns a case-insensitive pattern, or undefined for an invalid regular expression. */
export function toPattern({ text, regex }: Query): RegExp | undefined {
  try {
    return new RegExp(regex ? text : text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'gi')
  } catch {
    return undefined
  }
}

/** Ignores empty matches, such as those of `a*`. */
export function findMatches(text: string, pattern: RegExp, most = 200): MatchRange[] {
  const ranges: MatchRange[] = []
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (found !== '') ranges.push([index, index + found.length])
    if (ranges.length >= most) break
  }
  return ranges
}

/** Highlighting searches only the shown part, where `$` may match earlier, so search that part separately. */
export function hasMatch(text: string, pattern: RegExp, shown: number): boolean {
  const seen = text.slice(0, shown)
  return (
    findMatches(seen, pattern).length > 0 || (text.length > shown && findMatches(text, pattern, 1).length > 0)
  )
}
