/** For display only; nothing runs it. */
export const formatCommand = (words: readonly string[]) => words.map(quoted).join(' ')

const quoted = (word: string) =>
  /^[\w%+,./:=@-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`
