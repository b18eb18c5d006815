export interface Query {
  text: string
  /** As a regular expression. */
  regex: boolean
}

export type Range = readonly [from: number, to: number]

/** What a query looks for, in whatever case; undefined when it cannot be read as a regular expression. */
export function toPattern({ text, regex }: Query): RegExp | undefined {
  try {
    return new RegExp(regex ? text : text.replace(/[$()*+.?[\\\]^{|}]/g, String.raw`\$&`), 'gi')
  } catch {
    return undefined
  }
}

/** Where it stands in a text. What matches nothing at all, such as `a*`, is not found. */
export function findMatches(text: string, pattern: RegExp, most = 200): Range[] {
  const ranges: Range[] = []
  for (const { index, 0: found } of text.matchAll(pattern)) {
    if (found !== '') ranges.push([index, index + found.length])
    if (ranges.length >= most) break
  }
  return ranges
}

/** Whether it stands anywhere in a line. The part that is shown is searched by itself, as it is where it is marked. */
export function hasMatch(text: string, pattern: RegExp, shown: number): boolean {
  const seen = text.slice(0, shown)
  return (
    findMatches(seen, pattern).length > 0 || (text.length > shown && findMatches(text, pattern, 1).length > 0)
  )
}
