import { readScript } from '../platform/read-script.ts'

/**
 * Sends variables on standard input, because argument lists are public on a server and sshd refuses `env` requests.
 * `=NAME=value` starts a variable, `+…` continues it after a line break, `.` ends them all. `<…` starts the standard
 * input of a detached process.
 */
export function encodeEnvironment(env: Record<string, string> = {}, input?: string): string {
  const lines = Object.entries(env).map(([name, value]) => {
    if (!/^[A-Za-z_][A-Za-z0-9_]*$/.test(name) || name.startsWith('_slipway'))
      throw new Error(`“${name}” cannot be the name of a variable.`)
    return `=${name}=${linesOf(value, `The value of ${name}`)}`
  })
  if (input !== undefined) lines.push(`<${linesOf(input, 'The input of a program')}`)
  return `${lines.join('')}.\n`
}

function linesOf(value: string, what: string): string {
  if (value.includes('\0')) throw new Error(`${what} holds a NUL character.`)
  return `${value.replaceAll('\n', '\n+')}\n`
}

/** Reads the variables from standard input, then becomes the program. */
export const runWithEnvironment = readScript('run-with-environment.sh')
