/** Scores how well a name matches the typed words, in any order. The score is 0 unless all of them match. */
export function fuzzyScore(name: string, typed: string): number {
  const lower = name.toLowerCase()
  let score = 0
  for (const word of typed.toLowerCase().split(/\s+/)) {
    const found = scoreWord(lower, word)
    if (found === 0) return 0
    score += found
  }
  return score / (1 + name.length / 1_000)
}

function scoreWord(name: string, word: string): number {
  const at = name.indexOf(word)
  if (at === 0) return 4
  if (at > 0) return /[a-z0-9]/.test(name.charAt(at - 1)) ? 2 : 3
  return word.length > 1 && isSubsequence(name, word) ? 1 : 0
}

/** Returns whether the characters occur in order, so that `rbstore` finds “Roll back store”. */
function isSubsequence(name: string, word: string): boolean {
  let next = 0
  for (const sign of word) {
    next = name.indexOf(sign, next) + 1
    if (next === 0) return false
  }
  return true
}
