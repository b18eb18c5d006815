import type { z } from 'zod'
import type { message } from '../../../contract/notifications.ts'
import { toPlainText, toSingleLine, truncate, type TruncateOptions } from '../../platform/text/plain-text.ts'

/** A message before a channel formats it. All of it is untrusted plain text, which the channel must escape. */
export interface MessageContent {
  kind: z.output<typeof message>['kind']
  severity: z.output<typeof message>['severity']
  event: string
  title: string
  text: string
  facts: { label: string; value: string }[]
  lines: string[]
  link: { label: string; url: string }
  at: string
  workspace: { id: string; name: string }
  ids: Record<string, string>
}

const named = (text: string) => toSingleLine(text).trim()

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

export function joinFirstFitting(
  written: string[],
  most: number,
  size = (text: string) => text.length,
): string {
  let fitting = ''
  for (const line of written) {
    const longer = fitting === '' ? line : `${fitting}\n${line}`
    if (size(longer) > most) break
    fitting = longer
  }
  return fitting
}

export function joinLastFitting(
  lines: string[],
  most: number,
  { escape = (line) => line, size }: TruncateOptions = {},
): string {
  const measure = size ?? ((text: string) => text.length)
  let fitting = ''
  for (const line of lines.toReversed()) {
    const longer = fitting === '' ? escape(line) : `${escape(line)}\n${fitting}`
    if (measure(longer) > most) break
    fitting = longer
  }
  return fitting
}

type MessageSeverity = Pick<MessageContent, 'kind' | 'severity'>

export function severityEmoji({ kind, severity }: MessageSeverity): string {
  if (kind === 'test') return '🔔'
  if (kind === 'over') return '✅'
  return { critical: '🔴', warning: '🟠', good: '✅', info: '🔵' }[severity]
}

/** A resolution is good, whatever the severity was. */
export const effectiveSeverity = ({ kind, severity }: MessageSeverity): MessageContent['severity'] =>
  kind === 'over' ? 'good' : severity

export const severityColor = (content: MessageSeverity): string =>
  ({ critical: 'd92d20', warning: 'dc6803', good: '079455', info: '1570ef' })[effectiveSeverity(content)]

export const messageFooter = ({ workspace, at }: Pick<MessageContent, 'workspace' | 'at'>) =>
  `Slipway · ${workspace.name} · ${at.slice(0, 16).replace('T', ' ')} UTC`
