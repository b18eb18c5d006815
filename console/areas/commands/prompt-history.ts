/** What was typed, and which of the earlier commands stands in its place. */
export interface PromptState {
  text: string
  /** Of the earlier commands, newest first; -1 is what one types oneself. */
  at: number
  /** What was being typed when one began to look back. */
  draft: string
}

export const emptyPrompt: PromptState = { text: '', at: -1, draft: '' }

export const promptWithText = (text: string): PromptState => ({ text, at: -1, draft: text })

/** One step back in time, or forth again to what was being typed. Undefined where there is nothing further. */
export function recallCommand(
  prompt: PromptState,
  earlier: readonly string[],
  step: 1 | -1,
): PromptState | undefined {
  const at = prompt.at + step
  if (at === -1) return { text: prompt.draft, at, draft: prompt.draft }
  const text = earlier[at]
  return text === undefined || at < -1 ? undefined : { ...prompt, text, at }
}

/** Each once, where it was run last. */
export const uniqueCommands = (commands: readonly { command: string }[]) => [
  ...new Set(commands.map(({ command }) => command)),
]
