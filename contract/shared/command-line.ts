/**
 * A command as one types it in a shell: words with spaces between them, kept together by quotes and backslashes. Nothing is
 * done with them beyond that: no variables, no pipes, no patterns. No schema here: the console reads it too.
 */
interface CommandLine {
  words: string[]
  /** Whether the last quote was never closed. */
  open: boolean
}

export function readCommandLine(given: string): CommandLine {
  const text = given.replaceAll('\r\n', '\n')
  const words: string[] = []
  let [word, quote]: [string | undefined, string] = [undefined, '']
  for (let at = 0; at < text.length; at++) {
    const sign = text.charAt(at)
    if (sign === '\\' && isEscape(text.charAt(at + 1), quote)) {
      at += 1
      // A line that goes on in the next one.
      if (text.charAt(at) !== '\n') word = `${word ?? ''}${text.charAt(at)}`
    } else if (quote === '' ? /['"]/.test(sign) : sign === quote) {
      quote = quote === '' ? sign : ''
      word ??= ''
    } else if (quote === '' && /\s/.test(sign)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = `${word ?? ''}${sign}`
  }
  return { words: word === undefined ? words : [...words, word], open: quote !== '' }
}

/** As in a shell: anywhere but in single quotes, and in double ones only before what would mean something there. */
const isEscape = (next: string, quote: string) =>
  quote === '' ? next !== '' : quote === '"' && /["\\$`\n]/.test(next)

/** In one line, so that the same words are read again. */
export const writeCommandLine = (words: readonly string[]) =>
  words
    .map((word) => (word === '' || /[\s'"\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word))
    .join(' ')
