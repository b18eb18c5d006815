import type { Context } from '../../context.ts'
import type { Listener } from '../../outbox.ts'
import type { Trx } from '../../tables.ts'
import type { MessageContent } from './message-content.ts'

export type NotifiedEvent = Parameters<Listener>[2]

/** What is told of an event: its words, and what makes it the same as another. */
export interface RenderedMessage extends Omit<MessageContent, 'event' | 'at' | 'workspace'> {
  /** What was told by this key is not told again; that of the event where there is no other. */
  key?: string
}

/** Puts an event into words, by how things are now. */
export type RenderMessage = (ctx: Context, trx: Trx, event: NotifiedEvent) => Promise<RenderedMessage>
