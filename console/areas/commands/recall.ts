/** What was typed, and which of the earlier commands stands in its place. */
export interface Prompt {
  text: string
  /** Of the earlier commands, newest first; -1 is what one types oneself. */
  at: number
  /** What was being typed when one began to look back. */
  draft: string
}

export const emptyPrompt: Prompt = { text: '', at: -1, draft: '' }

export const typed = (text: string): Prompt => ({ text, at: -1, draft: text })

/** One step back in time, or forth again to what was being typed. Undefined where there is nothing further. */
export function recall(prompt: Prompt, earlier: readonly string[], step: 1 | -1): Prompt | undefined {
  const at = prompt.at + step
  if (at === -1) return { text: prompt.draft, at, draft: prompt.draft }
  const text = earlier[at]
  return text === undefined || at < -1 ? undefined : { ...prompt, text, at }
}

/** Each once, where it was run last. */
export const earlierTexts = (commands: readonly { command: string }[]) => [
  ...new Set(commands.map(({ command }) => command)),
]
