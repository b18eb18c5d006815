export function closestMatch(word: string, known: readonly string[]): string | undefined {
  if (word.length > 60) return undefined
  const most = Math.max(1, Math.floor(word.length / 3))
  const close = known
    .map((key) => ({ key, far: Math.abs(key.length - word.length) > most ? Infinity : distance(word, key) }))
    .filter(({ far }) => far <= most)
    .sort((a, b) => a.far - b.far)
  return close[0]?.key
}

/** Computes the Damerau–Levenshtein distance, which counts swapped neighbors as one typo. */
function distance(from: string, to: string): number {
  const rows = [Array.from({ length: to.length + 1 }, (_, index) => index)]
  for (let i = 1; i <= from.length; i++) {
    const [before, above] = [rows[i - 2], rows[i - 1] ?? []]
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const isSame = from[i - 1] === to[j - 1]
      const swapped = from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1] ? before?.[j - 2] : undefined
      row.push(
        Math.min(
          (above[j] ?? 0) + 1,
          (row[j - 1] ?? 0) + 1,
          (above[j - 1] ?? 0) + (isSame ? 0 : 1),
          (swapped ?? Infinity) + 1,
        ),
      )
    }
    rows.push(row)
  }
  return rows.at(-1)?.at(-1) ?? 0
}

export const didYouMean = (word: string, known: readonly string[]) => {
  const meant = closestMatch(word, known)
  return meant === undefined ? '' : ` Did you mean ${meant}?`
}
