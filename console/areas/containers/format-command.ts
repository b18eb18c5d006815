/** The text is only shown and never run, so quoting can stay simple. */
export const formatCommand = (words: readonly string[]) => words.map(quoted).join(' ')

const quoted = (word: string) =>
  /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
