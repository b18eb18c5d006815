import type { MessageContent } from './message-content.ts'

type MessageSeverity = Pick<MessageContent, 'kind' | 'severity'>

export function severityEmoji({ kind, severity }: MessageSeverity): string {
  if (kind === 'test') return '🔔'
  if (kind === 'over') return '✅'
  return { critical: '🔴', warning: '🟠', good: '✅', info: '🔵' }[severity]
}

/** A resolution is good, whatever the severity was. */
export const effectiveSeverity = ({ kind, severity }: MessageSeverity): MessageContent['severity'] =>
  kind === 'over' ? 'good' : severity

/** Returns six hexadecimal digits. */
export const severityColor = (content: MessageSeverity): string =>
  ({ critical: 'd92d20', warning: 'dc6803', good: '079455', info: '1570ef' })[effectiveSeverity(content)]

export const messageFooter = ({ workspace, at }: Pick<MessageContent, 'workspace' | 'at'>) =>
  `Slipway · ${workspace.name} · ${at.slice(0, 16).replace('T', ' ')} UTC`
