import { readCommandLine, writeCommandLine } from '../../../../contract/shared/command-line.ts'
import { Failure } from '../../../lib/http/failure.ts'

type Command = readonly string[] | null

const notClosed = 'A quote is opened and not closed.'

/** The arguments in a line as one would type it in a shell; none for the image's own. */
export function readCommand(text: string): string[] | null {
  const { words, open } = readCommandLine(text)
  if (open) throw new Failure({ messages: [`Command: ${notClosed}`], fields: { command: notClosed } })
  return words.length === 0 ? null : words
}

export const writeCommand = (command: Command) => writeCommandLine(command ?? [])

/** The first sentence about it or any of its arguments, which are named by their numbers, as `command.2`. */
export const commandError = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors).find(([field]) => /^command(\.\d+)?$/.test(field))?.[1]
