/** A program and its arguments. User input may stand in any argument: none of them is ever read as code. */
export interface Command {
  program: string
  args: string[]
  /** Set for the program alone; values never stand in an argument list that others can see. */
  env?: Record<string, string> | undefined
  /** What detached work reads from its standard input; without it there is nothing to read. Others cannot see it. */
  input?: string | undefined
  /** Needs root: goes through `sudo -n` where the connection's user is another. */
  asRoot?: boolean | undefined
}

export const command = (program: string, ...args: string[]): Command => ({ program, args })

/** The one way in which a list becomes the string that SSH wants. Read alike by sh, bash, busybox, zsh and fish. */
export const quoteForShell = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z0-9_/:.,@+-]+$/.test(word) ? word : quoted(word))).join(' ')

/** Backslashes stand outside the quotes, too: fish reads them inside. */
const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, (sign) => `'\\${sign}'`)}'`

/** The list that is run: with `sudo` before it where it is needed. */
export function toArgv({ program, args, env = {}, asRoot }: Command, user: { isRoot: boolean }): string[] {
  for (const word of [program, ...args])
    if (word.includes('\0')) throw new Error('An argument contains a NUL character.')
  if (!asRoot || user.isRoot) return [program, ...args]
  const names = Object.keys(env)
  const kept = names.length > 0 ? [`--preserve-env=${names.join(',')}`] : []
  return ['sudo', '-n', ...kept, '--', program, ...args]
}
