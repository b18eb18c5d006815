import type { z } from 'zod'
import type { channelField } from '../../../contract/notifications.ts'
import type { Context } from '../../context.ts'
import type { MessageContent } from './message-content.ts'

export type ChannelField = z.output<typeof channelField>
/** By the names of the fields; one that was left empty is an empty text. */
export type ChannelSettings = Readonly<Record<string, string>>

/** What is sent: the id is the same at every try, so that a receiver can tell that it has it already. */
export interface OutgoingMessage {
  id: string
  content: MessageContent
  /** Aborted when it takes too long, and when Slipway stops. */
  signal: AbortSignal
}

/** A way to reach people. One file in `channels/` each. */
export interface ChannelType {
  type: string
  name: string
  description: string
  help: string
  link: string | null
  fields: readonly ChannelField[]
  /** The secrets that the address in the settings is told: they are given anew for another one, or it would learn them. */
  told?: readonly string[]
  /** Why it cannot be used on this Slipway. */
  unavailableReason?(ctx: Context): string | undefined
  /** What is wrong with settings beyond what the fields say themselves, by field; they may be wrong in other ways as well. */
  check?(ctx: Context, settings: ChannelSettings): Record<string, string> | Promise<Record<string, string>>
  /** Resolves with what the receiver answered, in a few words. Throws `Later`, `Refused`, or any other error to be tried again. */
  send(ctx: Context, settings: ChannelSettings, sending: OutgoingMessage): Promise<string>
}

/** The receiver wants to be left alone for so long. */
export class RetryLater extends Error {
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

/**
 * Trying the same again is of no use: `message` for this one; `channel` for all of them, if it goes on like that for a while;
 * `gone` for all of them for sure, until somebody changes the settings.
 */
export class DeliveryRefused extends Error {
  readonly what: 'message' | 'channel' | 'gone'

  constructor(message: string, what: DeliveryRefused['what']) {
    super(message)
    this.what = what
  }
}
