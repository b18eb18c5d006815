import type { Context } from '../../context.ts'
import type { Listener } from '../../outbox.ts'
import type { Trx } from '../../tables.ts'
import type { MessageContent } from './message-content.ts'

export type NotifiedEvent = Parameters<Listener>[2]

export interface RenderedMessage extends Omit<MessageContent, 'event' | 'at' | 'workspace'> {
  /** A channel receives one message per key; the default is the event's ID. */
  key?: string
}

export type RenderMessage = (ctx: Context, trx: Trx, event: NotifiedEvent) => Promise<RenderedMessage>
