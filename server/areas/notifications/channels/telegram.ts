import type { Context } from '../../../context.ts'
import { escapeHtml, truncate } from '../../../platform/text/plain-text.ts'
import { channelField, type ChannelType, type ChannelSettings } from '../channel-type.ts'
import {
  joinFirstFitting,
  joinLastFitting,
  type MessageContent,
  messageFooter,
  severityEmoji,
  toPlainContent,
} from '../message-content.ts'
import { postMessage } from '../post-message.ts'

export const telegram: ChannelType = {
  type: 'telegram',
  name: 'Telegram',
  description: 'Send messages with your own Telegram bot.',
  help: 'In Telegram, send /newbot to @BotFather to create a bot and get its token. Then send the bot a message, or add it to your group (in a channel: as an administrator). To find the chat ID, send /start to @userinfobot, or open api.telegram.org/bot<token>/getUpdates after a message in the group and look for "chat":{"id":…. Group IDs begin with a minus sign.',
  link: 'https://core.telegram.org/bots/features#botfather',
  fields: [
    channelField({
      name: 'token',
      label: 'Bot token',
      type: 'secret',
      help: 'The token from @BotFather.',
      placeholder: '123456789:AAE…',
    }),
    channelField({
      name: 'chat',
      label: 'Chat ID',
      help: 'A number (negative for groups) or the @name of a public channel.',
      placeholder: '-1001234567890',
    }),
    channelField({
      name: 'topic',
      label: 'Topic ID',
      required: false,
      help: 'For groups with topics: the last part of the topic link.',
      placeholder: '',
    }),
  ],
  check: (_, { token = '', chat = '', topic = '' }) => ({
    ...(!/^\d{3,20}:[\w-]{20,100}$/.test(token) && {
      token: 'Must be a bot token: a number, a colon and about 35 letters and digits.',
    }),
    ...(!/^(-?\d{1,20}|@[A-Za-z]\w{3,40})$/.test(chat) && {
      chat: 'Must be a number such as -1001234567890 or a public channel such as @harbour.',
    }),
    ...(topic !== '' && !/^\d{1,15}$/.test(topic) && { topic: 'Must be a number.' }),
  }),
  send(ctx, settings, { content, signal }) {
    const url = sendMessageUrl(ctx, settings)
    return postMessage(ctx, {
      url: url.href,
      trusted: url.origin,
      body: toTelegramMessage(settings, toPlainContent(content)),
      signal,
      gone: /chat not found|bot was (blocked|kicked)|user is deactivated|chat was (deleted|upgraded)|^Unauthorized$|need administrator rights|not enough rights|bot can't (initiate|send)|thread not found/i,
    })
  },
}

const sendMessageUrl = ({ config }: Pick<Context, 'config'>, { token = '' }: ChannelSettings) =>
  new URL(`${config.TELEGRAM_API_URL}/bot${token}/sendMessage`)

const toTelegramMessage = ({ chat = '', topic }: ChannelSettings, content: MessageContent) => ({
  chat_id: chat,
  ...(topic && { message_thread_id: Number(topic) }),
  text: toHtml(content),
  parse_mode: 'HTML',
  link_preview_options: { is_disabled: true },
  disable_notification: content.severity === 'good' || content.kind === 'over',
})

/** Adds an invisible character after @, so that names in a message do not mention anyone. */
const escape = (text: string) => escapeHtml(text.replaceAll(/(?<!\w)@(?=\w)/g, '@\u2060'))

/** Telegram allows 4,096 characters, and drops links to local addresses while it keeps the message. */
function toHtml(content: MessageContent): string {
  const facts = content.facts.map(
    ({ label, value }) => `<b>${truncate(label, 100, { escape })}:</b> ${truncate(value, 400, { escape })}`,
  )
  const log = joinLastFitting(content.lines, 1_200, { escape: escapeHtml })
  return [
    `${severityEmoji(content)} <b>${truncate(content.title, 400, { escape })}</b>`,
    truncate(content.text, 1_000, { escape }),
    joinFirstFitting(facts, 900),
    log && `<pre>${log}</pre>`,
    `<a href="${escapeHtml(content.link.url)}">${escape(content.link.label)}</a>\n<i>${truncate(messageFooter(content), 200, { escape })}</i>`,
  ]
    .filter(Boolean)
    .join('\n\n')
}
