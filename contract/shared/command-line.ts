/**
 * Splits a command line into arguments without interpreting variables, pipes or patterns. This file does not import
 * zod, so that the console can use it.
 */
interface CommandLine {
  words: string[]
  open: boolean
}

export function readCommandLine(input: string): CommandLine {
  const text = input.replaceAll('\r\n', '\n')
  const words: string[] = []
  let [word, quote]: [string | undefined, string] = [undefined, '']
  for (let index = 0; index < text.length; index++) {
    const sign = text.charAt(index)
    if (sign === '\\' && isEscape(text.charAt(index + 1), quote)) {
      index += 1
      if (text.charAt(index) !== '\n') word = `${word ?? ''}${text.charAt(index)}`
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

/** As in sh, single quotes have no escapes, and double quotes only before special characters. */
const isEscape = (next: string, quote: string) =>
  quote === '' ? next !== '' : quote === '"' && /["\\$`\n]/.test(next)

export const writeCommandLine = (words: readonly string[]) =>
  words
    .map((word) => (word === '' || /[\s'"\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word))
    .join(' ')

/** Separates stdout from stderr where both streams are stored as one text. */
export const stderrSeparator = '--- stderr ---'
