import type { Context } from '../../context.ts'
import { Invalid } from '../../errors.ts'
import type { ChannelType, ChannelField, ChannelSettings } from './channel-type.ts'
import { checkReceiverUrl } from './post-message.ts'

export const presentSettings = ({ fields }: Pick<ChannelType, 'fields'>, settings: ChannelSettings) =>
  Object.fromEntries(
    fields.map(({ name, type }) => [
      name,
      type === 'secret' && settings[name] ? null : (settings[name] ?? ''),
    ]),
  )

export async function readChannelSettings(
  ctx: Context,
  channel: ChannelType,
  input: Readonly<Record<string, string | null>>,
  before: ChannelSettings = {},
): Promise<ChannelSettings> {
  const wrong = new Map<string, string>()
  for (const name of Object.keys(input))
    if (!channel.fields.some((field) => field.name === name))
      wrong.set(name, `${channel.name} does not have this setting.`)
  const settings = Object.fromEntries(
    channel.fields.map(({ name, default: defaultValue }) => [
      name,
      // Null keeps the current value, because API responses show secrets as null.
      (input[name] ?? before[name] ?? defaultValue).trim() || defaultValue,
    ]),
  )
  for (const field of channel.fields) {
    const sentence = await findFieldError(ctx, field, settings[field.name] ?? '')
    if (sentence) wrong.set(field.name, sentence)
  }
  if (changesServer(channel, before, settings))
    for (const name of channel.secretsSentToUrl ?? [])
      if (before[name] && (input[name] ?? null) === null) wrong.set(name, enterAgain)
  for (const [name, sentence] of Object.entries((await channel.check?.(ctx, settings)) ?? {}))
    if (!wrong.has(name)) wrong.set(name, sentence)
  if (wrong.size === 0) return settings
  throw new Invalid(
    Object.fromEntries([...wrong].map(([name, sentence]) => [`settings.${name}`, [sentence]])),
  )
}

const enterAgain = 'Enter this secret again: the current one was set for another server.'

const changesServer = ({ fields }: ChannelType, before: ChannelSettings, now: ChannelSettings): boolean =>
  fields.some(({ name, type }) => {
    const [old, current] = [before[name] ?? '', now[name] ?? '']
    const areUrls = type === 'url' && URL.canParse(old) && URL.canParse(current)
    return areUrls && new URL(old).origin !== new URL(current).origin
  })

async function findFieldError(ctx: Context, field: ChannelField, value: string): Promise<string | undefined> {
  if (value === '') return field.required ? 'Is required.' : undefined
  if (/[\r\n]/.test(value) && field.type !== 'emails') return 'Must be one line.'
  if (field.type === 'choice' && !field.choices.some((choice) => choice.value === value))
    return `Must be one of: ${field.choices.map((choice) => choice.value).join(', ')}.`
  return field.type === 'url' ? checkReceiverUrl(ctx, value) : undefined
}
