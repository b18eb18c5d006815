/** What was typed or pasted as single tags: cut at the delimiter and at line ends, without spaces around and empty ones. */
export const splitTags = (text: string, delimiter: string) =>
  text
    .split(/\r?\n/)
    .flatMap((line) => line.split(delimiter))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** The tags with more behind them: each only once, and at most `max`, where 0 means any number. */
export function withTags(tags: readonly string[], more: readonly string[], max: number): string[] {
  const all = [...new Set([...tags, ...more])]
  return max === 0 ? all : all.slice(0, max)
}
