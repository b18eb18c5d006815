import { events } from '../../../../contract/shared/events.ts'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import type { Listener } from '../../../events.ts'
import { toPlainText } from '../../../platform/text/plain-text.ts'
import type { Trx } from '../../../tables.ts'
import { addApplicationSecrets, createSecretMask } from '../../alerts/secret-mask.ts'
import { findRelease } from '../../applications/release.ts'
import type { MessageContent } from '../message-content.ts'

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

/** Output of containers and builds may contain secrets, and others can read the channel. */
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
