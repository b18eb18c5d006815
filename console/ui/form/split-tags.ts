/** Splits typed or pasted text at delimiters and line breaks. */
export const splitTags = (text: string, delimiter: string) =>
  text
    .split(/\r?\n/)
    .flatMap((line) => line.split(delimiter))
    .map((tag) => tag.trim())
    .filter((tag) => tag !== '')

/** Adds tags without duplicates, up to `max`; 0 means unlimited. */
export function withTags(tags: readonly string[], more: readonly string[], max: number): string[] {
  const all = [...new Set([...tags, ...more])]
  return max === 0 ? all : all.slice(0, max)
}
