/** A program and its arguments. Arguments may contain user input: none is interpreted as code. */
export interface Command {
  program: string
  args: string[]
  /** Environment of the program. Values never appear in an argument list that other users can see. */
  env?: Record<string, string> | undefined
  /** Standard input of a detached process. Other users cannot see it. */
  input?: string | undefined
  /** Needs root: goes through `sudo -n` where the connection's user is another. */
  asRoot?: boolean | undefined
}

export const command = (program: string, ...args: string[]): Command => ({ program, args })

/** Quotes arguments for the command line that SSH needs. Works in sh, bash, busybox, zsh and fish. */
export const quoteForShell = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z0-9_/:.,@+-]+$/.test(word) ? word : quoted(word))).join(' ')

/** Keeps backslashes outside the quotes: fish interprets them inside. */
const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, (sign) => `'\\${sign}'`)}'`

/** Returns the argument list, with `sudo` where it is needed. */
export function toArgv({ program, args, env = {}, asRoot }: Command, user: { isRoot: boolean }): string[] {
  for (const word of [program, ...args])
    if (word.includes('\0')) throw new Error('An argument contains a NUL character.')
  if (!asRoot || user.isRoot) return [program, ...args]
  const names = Object.keys(env)
  const kept = names.length > 0 ? [`--preserve-env=${names.join(',')}`] : []
  return ['sudo', '-n', ...kept, '--', program, ...args]
}
