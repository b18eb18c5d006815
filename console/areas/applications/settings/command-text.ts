import { readCommandLine, writeCommandLine } from '../../../../contract/shared/command-line.ts'
import { ApiError } from '../../../lib/http/api-error.ts'

type Command = readonly string[] | null

const notClosed = 'A quote is not closed.'

/** Splits a command line into arguments; none means the command of the image. */
export function readCommand(text: string): string[] | null {
  const { words, open } = readCommandLine(text)
  if (open) throw new ApiError({ messages: [`Command: ${notClosed}`], fields: { command: notClosed } })
  return words.length === 0 ? null : words
}

export const writeCommand = (command: Command) => writeCommandLine(command ?? [])

/** Returns the first error of the command or of an argument such as `command.2`. */
export const commandSyntaxError = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors).find(([field]) => /^command(\.\d+)?$/.test(field))?.[1]
