const version = /^v?(\d{1,6})(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:\.(\d{1,6}))?(?:[-+_](.+))?$/

/** The newest first, as far as names tell: `latest`, versions from the highest down, and whatever else there is. */
export const sortTags = (names: string[]): string[] =>
  names
    .map((name) => ({ name, parts: version.exec(name), key: keyOf(name) }))
    .sort((a, b) => {
      if (a.name === b.name) return 0
      if (a.name === 'latest' || b.name === 'latest') return a.name === 'latest' ? -1 : 1
      if (a.parts && b.parts) return byVersion(a.parts, b.parts) || byKey(b, a)
      if (a.parts || b.parts) return a.parts ? -1 : 1
      return byKey(b, a)
    })
    .map(({ name }) => name)

function byVersion(a: RegExpExecArray, b: RegExpExecArray): number {
  for (const part of [1, 2, 3, 4]) {
    // 1.27 is the newest of all that begin like it.
    const [left, right] = [numberOf(a[part]), numberOf(b[part])]
    if (left !== right) return right > left ? 1 : -1
  }
  // What has something behind it is another flavour, or not finished.
  return Number(a[5] !== undefined) - Number(b[5] !== undefined)
}

const numberOf = (part: string | undefined) => (part === undefined ? Number.POSITIVE_INFINITY : Number(part))

/** So that 10 comes after 9. Made once for each: to compare as people do takes seconds for thousands of long numbers. */
const keyOf = (name: string) => name.toLowerCase().replace(/\d+/g, (digits) => digits.padStart(10, '0'))

const byKey = (a: { key: string }, b: { key: string }) => (a.key === b.key ? 0 : a.key > b.key ? 1 : -1)
