/** Variables, pipes and patterns are not interpreted. Without zod, so that the console can import it. */
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

/** Follows sh: no escapes in single quotes, and in double quotes only before special characters. */
const isEscape = (next: string, quote: string) =>
  quote === '' ? next !== '' : quote === '"' && /["\\$`\n]/.test(next)

export const writeCommandLine = (words: readonly string[]) =>
  words
    .map((word) => (word === '' || /[\s'"\\]/.test(word) ? `'${word.replaceAll("'", `'\\''`)}'` : word))
    .join(' ')

/** Precedes stderr where both streams are one text. */
export const stderrSeparator = '--- stderr ---'
