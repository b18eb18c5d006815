export interface PromptState {
  text: string
  /** Index of the recalled command, newest first; -1 for the draft. */
  at: number
  draft: string
}

export const emptyPrompt: PromptState = { text: '', at: -1, draft: '' }

export const promptWithText = (text: string): PromptState => ({ text, at: -1, draft: text })

/** Recalls the next older or newer command. Returns undefined at either end. */
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

/** Removes duplicates, and keeps the most recent command of each. */
export const uniqueCommands = (commands: readonly { command: string }[]) => [
  ...new Set(commands.map(({ command }) => command)),
]
