import { readScript } from '../platform/read-script.ts'

/** A program and its arguments. Arguments may contain user input, because none is interpreted as code. */
export interface Command {
  program: string
  args: string[]
  /** Environment of the program. Values never appear in an argument list that other users can see. */
  env?: Record<string, string> | undefined
  /** Standard input of a detached process. Other users cannot see it. */
  input?: string | undefined
  /** Whether the command needs root. It then runs through `sudo -n` unless the user of the connection is root. */
  asRoot?: boolean | undefined
}

export const command = (program: string, ...args: string[]): Command => ({ program, args })

/** Quotes arguments for the command line that SSH needs. The result works in sh, bash, busybox, zsh and fish. */
export const quoteForShell = (words: readonly string[]): string =>
  words.map((word) => (/^[A-Za-z0-9_/:.,@+-]+$/.test(word) ? word : quoted(word))).join(' ')

/** Backslashes stay outside the quotes, because fish interprets them inside. */
const quoted = (word: string) => `'${word.replaceAll(/['\\]/g, (sign) => `'\\${sign}'`)}'`

export function toArgv({ program, args, env = {}, asRoot }: Command, user: { isRoot: boolean }): string[] {
  for (const word of [program, ...args])
    if (word.includes('\0')) throw new Error('An argument contains a NUL character.')
  if (!asRoot || user.isRoot) return [program, ...args]
  const names = Object.keys(env)
  const kept = names.length > 0 ? [`--preserve-env=${names.join(',')}`] : []
  return ['sudo', '-n', ...kept, '--', program, ...args]
}

/**
 * Runs a script from standard input, because every user of a server can read argument lists and the script may contain
 * a password.
 */
export const stdinScript = readScript('run-from-stdin.sh')

export const encodeScript = (text: string): string => `.${text.replaceAll('\n', '\n.')}\nend\n`

export const shellCommand = (text: string): Command => ({
  ...command('sh', '-c', stdinScript),
  input: encodeScript(text),
})

/**
 * Sends variables on standard input, because argument lists are public on a server and sshd refuses `env` requests.
 * `=NAME=value` starts a variable, `+…` continues it after a line break, `.` ends them all. `<…` starts the standard
 * input of a detached process.
 */
export function encodeEnvironment(env: Record<string, string> = {}, input?: string): string {
  const lines = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith('_slipway'))
      throw new Error(`“${name}” cannot be the name of a variable.`)
    return `=${name}=${encodeLines(value, `The value of ${name}`)}`
  })
  if (input !== undefined) lines.push(`<${encodeLines(input, 'The input of a program')}`)
  return `${lines.join('')}.\n`
}

function encodeLines(value: string, what: string): string {
  if (value.includes('\0')) throw new Error(`${what} contains a NUL character.`)
  return `${value.replaceAll('\n', '\n+')}\n`
}

export const runWithEnvironment = readScript('run-with-environment.sh')
