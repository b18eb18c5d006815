import { truncate, type TruncateOptions, toSingleLine, toPlainText } from '../../platform/text/plain-text.ts'
import type { MessageContent } from './message-content.ts'

const named = (text: string) => toSingleLine(text).trim()

/** Reduces names from users to one line and limits the length. */
export const toPlainContent = (content: MessageContent): MessageContent => ({
  ...content,
  title: truncate(named(content.title), 200),
  text: truncate(toPlainText(content.text).trim(), 1_000),
  facts: content.facts.slice(0, 10).map(({ label, value }) => ({
    label: truncate(named(label), 60) || '–',
    value: truncate(named(value), 300) || '–',
  })),
  lines: content.lines.slice(-20).map((line) => truncate(toSingleLine(line), 300)),
  link: { label: truncate(named(content.link.label), 60), url: content.link.url },
  workspace: { ...content.workspace, name: truncate(named(content.workspace.name), 100) },
})

/** Keeps the first lines that fit. */
export function joinFirstFitting(
  written: string[],
  most: number,
  size = (given: string) => given.length,
): string {
  let fitting = ''
  for (const line of written) {
    const longer = fitting === '' ? line : `${fitting}\n${line}`
    if (size(longer) > most) break
    fitting = longer
  }
  return fitting
}

/** Keeps the last lines that fit, because the newest lines of a log matter most. */
export function joinLastFitting(
  lines: string[],
  most: number,
  { escape = (line) => line, size }: TruncateOptions = {},
): string {
  const measure = size ?? ((given: string) => given.length)
  let fitting = ''
  for (const line of lines.toReversed()) {
    const longer = fitting === '' ? escape(line) : `${escape(line)}\n${fitting}`
    if (measure(longer) > most) break
    fitting = longer
  }
  return fitting
}
