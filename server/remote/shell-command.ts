import { type Command, command } from './command.ts'
import { readScript } from '../platform/read-script.ts'

/**
 * Runs a script from standard input as `sh -c` would. Everybody on a server can read argument lists, and the script may
 * contain a password.
 */
export const stdinScript = readScript('run-from-stdin.sh')

/** Encodes a script for `stdinScript`: a dot before each line, then a line without one. */
export const encodeScript = (text: string): string => `.${text.replaceAll('\n', '\n.')}\nend\n`

/** Creates the command that runs a script on the server without showing it to other users. */
export const shellCommand = (text: string): Command => ({
  ...command('sh', '-c', stdinScript),
  input: encodeScript(text),
})
