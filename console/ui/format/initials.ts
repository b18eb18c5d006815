/** At most two initials: "Ada Lovelace" → "AL", "ada" → "A". */
export function initials(name: string): string {
  const words = name.split(/[\s._@-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return picked.map((word) => (/[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '').toUpperCase()).join('')
}
