import { cutTo, type Fitting, oneLine, plain } from '../../platform/text/plain.ts'
import type { Content } from './content.ts'

const named = (text: string) => oneLine(text).trim()

/** As it is read: names that others chose are text of one line, and there is no more of it than anybody reads. */
export const plainContent = (content: Content): Content => ({
  ...content,
  title: cutTo(named(content.title), 200),
  text: cutTo(plain(content.text).trim(), 1_000),
  facts: content.facts.slice(0, 10).map(({ label, value }) => ({
    label: cutTo(named(label), 60) || '–',
    value: cutTo(named(value), 300) || '–',
  })),
  lines: content.lines.slice(-20).map((line) => cutTo(oneLine(line), 300)),
  link: { label: cutTo(named(content.link.label), 60), url: content.link.url },
  workspace: { ...content.workspace, name: cutTo(named(content.workspace.name), 100) },
})

/** The first of them that fit, each on a line of its own. */
export function firstThatFit(
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
export function lastThatFit(
  lines: string[],
  most: number,
  { escape = (line) => line, size }: Fitting = {},
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
