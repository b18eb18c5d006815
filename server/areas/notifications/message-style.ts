import type { MessageContent } from './message-content.ts'

type MessageSeverity = Pick<MessageContent, 'kind' | 'severity'>

/** What it is, at a glance. */
export function severityEmoji({ kind, severity }: MessageSeverity): string {
  if (kind === 'test') return '🔔'
  if (kind === 'over') return '✅'
  return { critical: '🔴', warning: '🟠', good: '✅', info: '🔵' }[severity]
}

/** An end is good, however bad it was. */
export const effectiveSeverity = ({ kind, severity }: MessageSeverity): MessageContent['severity'] =>
  kind === 'over' ? 'good' : severity

/** As six hexadecimal digits. */
export const severityColor = (content: MessageSeverity): string =>
  ({ critical: 'd92d20', warning: 'dc6803', good: '079455', info: '1570ef' })[effectiveSeverity(content)]

/** Beside a message: where it is from, and when it was. */
export const messageFooter = ({ workspace, at }: Pick<MessageContent, 'workspace' | 'at'>) =>
  `Slipway · ${workspace.name} · ${at.slice(0, 16).replace('T', ' ')} UTC`
