import { truncate, type TruncateOptions, toSingleLine, toPlainText } from '../../platform/text/plain-text.ts'
import type { MessageContent } from './message-content.ts'

const named = (text: string) => toSingleLine(text).trim()

/** As it is read: names that others chose are text of one line, and there is no more of it than anybody reads. */
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

/** The first of them that fit, each on a line of its own. */
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

/** The last of them that fit: the newest lines of a log say most. */
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
