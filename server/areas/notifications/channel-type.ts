import { z } from 'zod'
import type { channelField as contract } from '../../../contract/notifications.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import type { MessageContent } from './message-content.ts'

export type ChannelField = z.output<typeof contract>
export type ChannelSettings = Readonly<Record<string, string>>

/** The ID stays the same across attempts, so that a receiver can detect duplicates. */
export interface OutgoingMessage {
  id: string
  content: MessageContent
  signal: AbortSignal
}

export interface ChannelType {
  type: string
  name: string
  description: string
  help: string
  link: string | null
  fields: readonly ChannelField[]
  /** Names of secrets that a user must enter again when the URL changes, or the new host would receive them. */
  secretsSentToUrl?: readonly string[]
  unavailableReason?(ctx: Context): string | undefined
  check?(ctx: Context, settings: ChannelSettings): Record<string, string> | Promise<Record<string, string>>
  send(ctx: Context, settings: ChannelSettings, sending: OutgoingMessage): Promise<string>
}

export class RetryLater extends Error {
  readonly seconds: number

  constructor(message: string, seconds: number) {
    super(message)
    this.seconds = seconds
  }
}

/**
 * Thrown when a retry cannot succeed: for this `message`, for any message of the `channel`, or because the receiver is
 * `gone`.
 */
export class DeliveryRefused extends Error {
  readonly what: 'message' | 'channel' | 'gone'

  constructor(message: string, what: DeliveryRefused['what']) {
    super(message)
    this.what = what
  }
}

type FieldInput = Pick<ChannelField, 'name' | 'label' | 'help'> & Partial<ChannelField>

export const channelField = (input: FieldInput): ChannelField => ({
  type: 'text',
  required: true,
  placeholder: '',
  choices: [],
  default: '',
  ...input,
})

const sealContext = (id: Id<'notification'>) => `notifications.settings_sealed:${id}`

export const sealSettings = (
  { secrets }: Pick<Context, 'secrets'>,
  id: Id<'notification'>,
  settings: ChannelSettings,
) => secrets.seal(sealContext(id), JSON.stringify(settings))

const storedSettings = z.record(z.string(), z.string())

export const openSettings = (
  { secrets }: Pick<Context, 'secrets'>,
  { id, settings_sealed: sealed }: { id: Id<'notification'>; settings_sealed: string | null },
): ChannelSettings =>
  sealed === null ? {} : storedSettings.parse(JSON.parse(secrets.open(sealContext(id), sealed)))

/** Removes secrets from a response, because a receiver may echo them. */
export const hideSecrets = (
  channel: Pick<ChannelType, 'fields'> | undefined,
  settings: ChannelSettings,
  text: string,
) =>
  (channel?.fields ?? [])
    .filter(({ type }) => type === 'secret')
    .map(({ name }) => settings[name] ?? '')
    .flatMap((secret) => [secret, ...(URL.canParse(secret) ? tokenCandidates(new URL(secret)) : [])])
    .filter((secret) => secret.length > 3)
    .reduce((left, secret) => left.replaceAll(secret, '…'), text)

const tokenCandidates = ({ pathname, search, searchParams }: URL) => [
  pathname,
  pathname.split('/').at(-1) ?? '',
  search,
  ...searchParams.values(),
]
