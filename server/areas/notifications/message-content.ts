import type { z } from 'zod'
import type { message } from '../../../contract/notifications.ts'
import { events } from '../../../contract/shared/events.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { Listener } from '../../events.ts'
import { toPlainText, toSingleLine, truncate, type TruncateOptions } from '../../platform/text/plain-text.ts'
import type { Trx } from '../../tables.ts'
import { addApplicationSecrets, createSecretMask } from '../alerts/secret-mask.ts'
import { findRelease } from '../applications/release.ts'

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

export type NotifiedEvent = Parameters<Listener>[2]

export interface RenderedMessage extends Omit<MessageContent, 'event' | 'at' | 'workspace'> {
  /** A channel receives one message per key; the default is the event's ID. */
  key?: string
}

export type RenderMessage = (ctx: Context, trx: Trx, event: NotifiedEvent) => Promise<RenderedMessage>

type NoticeFields = Pick<RenderedMessage, 'severity' | 'title'> &
  Partial<Pick<RenderedMessage, 'text' | 'facts' | 'ids'>>

export const renderNotice = (
  { config }: Pick<Context, 'config'>,
  [label, path]: [label: string, path: string],
  fields: NoticeFields,
): RenderedMessage => ({
  kind: 'happened',
  text: '',
  facts: [],
  lines: [],
  ids: {},
  link: { label, url: `${config.PUBLIC_URL}/dashboard${path}` },
  ...fields,
})

export const eventSentence = ({ actor_name, type, target_name }: NotifiedEvent): string =>
  [actor_name, events[type], target_name].filter((part) => part !== null).join(' ')

interface MaskScope {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'> | null
  release_id?: Id<'release'> | null
}

/**
 * Masks secrets, because output of containers and builds may contain them and people outside the workspace may read the
 * channel.
 */
export async function maskSecrets(
  ctx: Context,
  trx: Trx,
  scope: MaskScope,
  message: RenderedMessage,
): Promise<RenderedMessage> {
  const mask = createSecretMask()
  const release = scope.release_id ? await findRelease(trx, scope.workspace_id, scope.release_id) : undefined
  await addApplicationSecrets(ctx, trx, scope, mask, release)
  // Remove control sequences first, because they may split a secret.
  const hide = (text: string) => mask.hide(toPlainText(text))
  return {
    ...message,
    text: hide(message.text),
    facts: message.facts.map(({ label, value }) => ({ label, value: hide(value) })),
    lines: message.lines.map(hide),
  }
}

const units = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

export function formatDuration(from: Date, to: Date): string {
  let left = Math.max(1, Math.round((to.getTime() - from.getTime()) / 1_000))
  const first = units.findIndex(([, seconds]) => left >= seconds)
  const parts = units.slice(first, first + 2).flatMap(([unit, seconds]) => {
    const count = Math.floor(left / seconds)
    left %= seconds
    return count === 0 ? [] : [formatCount(count, unit)]
  })
  return parts.join(' ')
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

/** A resolution counts as good news, whatever the severity of the incident was. */
export const effectiveSeverity = ({ kind, severity }: MessageSeverity): MessageContent['severity'] =>
  kind === 'over' ? 'good' : severity

export const severityColor = (content: MessageSeverity): string =>
  ({ critical: 'd92d20', warning: 'dc6803', good: '079455', info: '1570ef' })[effectiveSeverity(content)]

export const messageFooter = ({ workspace, at }: Pick<MessageContent, 'workspace' | 'at'>) =>
  `Slipway · ${workspace.name} · ${at.slice(0, 16).replace('T', ' ')} UTC`
