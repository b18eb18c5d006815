type Command = readonly string[] | null

/** One argument a line; nothing for that of the image. */
export function readCommand(text: string): string[] | null {
  const lines = text.split(/\r?\n/).filter((line) => line.trim() !== '')
  return lines.length === 0 ? null : lines
}

/** Whether it can be typed as one argument a line, and is the same afterwards. */
export const isPlainCommand = (command: Command) =>
  command === null ||
  (command[0] === command[0]?.trimStart() &&
    command.at(-1) === command.at(-1)?.trimEnd() &&
    command.every((argument) => argument.trim() !== '' && !/[\r\n]/.test(argument)))

/** The first sentence about it or any of its arguments, which are named by their numbers, as `command.2`. */
export const commandError = (errors: Readonly<Record<string, string>>) =>
  Object.entries(errors).find(([field]) => /^command(\.\d+)?$/.test(field))?.[1]
