/** A program and its arguments. User input may stand in any argument: none of them is ever read as code. */
export interface Command {
  program: string
  args: string[]
  /** Set for the program alone; values never stand in an argument list that others can see. */
  env?: Record<string, string> | undefined
  /** Needs root: goes through `sudo -n` where the connection's user is another. */
  asRoot?: boolean | undefined
}

export const command = (program: string, ...args: string[]): Command => ({ program, args })

/** The one way in which a list becomes the string that SSH wants. */
export const quote = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z0-9_/:.,@%+=-]+$/.test(word) && !word.startsWith('-=') ? word : quoted(word))).join(' ')

const quoted = (word: string) => `'${word.replaceAll("'", `'\\''`)}'`
