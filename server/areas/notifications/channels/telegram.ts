import type { Context } from '../../../context.ts'
import { escapeHtml } from '../../../platform/text/escape-html.ts'
import { cutTo } from '../../../platform/text/plain.ts'
import type { Channel, Settings } from '../channel.ts'
import type { Content } from '../content.ts'
import { field } from '../field.ts'
import { signOf, sourceOf } from '../looks.ts'
import { firstThatFit, lastThatFit, plainContent } from '../plain.ts'
import { post } from '../post.ts'

export const telegram: Channel = {
  type: 'telegram',
  name: 'Telegram',
  says: 'A bot of yours writes to you, to a group or to a channel.',
  help: 'In Telegram, write /newbot to @BotFather and follow it: it gives you the token of your bot. Then write anything to the bot, or add it to your group (in a channel: as an administrator). For the chat id, write /start to @userinfobot for your own, or open api.telegram.org/bot<token>/getUpdates in a browser after a message in the group and look for "chat":{"id":…; ids of groups begin with a minus.',
  link: 'https://core.telegram.org/bots/features#botfather',
  fields: [
    field({
      name: 'token',
      label: 'Bot token',
      type: 'secret',
      help: 'What @BotFather gave you for your bot.',
      placeholder: '123456789:AAE…',
    }),
    field({
      name: 'chat',
      label: 'Chat id',
      help: 'A number, negative for groups; or the @name of a public channel.',
      placeholder: '-1001234567890',
    }),
    field({
      name: 'topic',
      label: 'Topic id',
      required: false,
      help: 'In a group with topics: the number of the topic, which is the last part of its link.',
      placeholder: '',
    }),
  ],
  check: (_, { token = '', chat = '', topic = '' }) => ({
    ...(!/^\d{3,20}:[\w-]{20,100}$/.test(token) && {
      token: 'Must be the token of a bot: a number, a colon and about 35 letters and digits.',
    }),
    ...(!/^(-?\d{1,20}|@[A-Za-z]\w{3,40})$/.test(chat) && {
      chat: 'Must be a number such as -1001234567890, or the name of a public channel such as @harbour.',
    }),
    ...(topic !== '' && !/^\d{1,15}$/.test(topic) && { topic: 'Must be a number.' }),
  }),
  send(ctx, settings, { content, signal }) {
    const url = addressOf(ctx, settings)
    return post(ctx, {
      url: url.href,
      trusted: url.origin,
      body: messageOf(settings, plainContent(content)),
      signal,
      gone: /chat not found|bot was (blocked|kicked)|user is deactivated|chat was (deleted|upgraded)|^Unauthorized$|need administrator rights|not enough rights|bot can't (initiate|send)|thread not found/i,
    })
  },
}

const addressOf = ({ config }: Pick<Context, 'config'>, { token = '' }: Settings) =>
  new URL(`${config.TELEGRAM_API_URL}/bot${token}/sendMessage`)

const messageOf = ({ chat = '', topic }: Settings, content: Content) => ({
  chat_id: chat,
  ...(topic && { message_thread_id: Number(topic) }),
  text: textOf(content),
  parse_mode: 'HTML',
  link_preview_options: { is_disabled: true },
  // Good news makes no noise at night.
  disable_notification: content.severity === 'good' || content.kind === 'over',
})

/** A sign that is not seen keeps Telegram from calling whoever has such a name. */
const escape = (text: string) => escapeHtml(text.replaceAll(/(?<!\w)@(?=\w)/g, '@\u2060'))

/** At most 4,096 characters. A link to where only this machine gets is left out by Telegram, and the message stays. */
function textOf(content: Content): string {
  const facts = content.facts.map(
    ({ label, value }) => `<b>${cutTo(label, 100, { escape })}:</b> ${cutTo(value, 400, { escape })}`,
  )
  const log = lastThatFit(content.lines, 1_200, { escape: escapeHtml })
  return [
    `${signOf(content)} <b>${cutTo(content.title, 400, { escape })}</b>`,
    cutTo(content.text, 1_000, { escape }),
    firstThatFit(facts, 900),
    log && `<pre>${log}</pre>`,
    `<a href="${escapeHtml(content.link.url)}">${escape(content.link.label)}</a>\n<i>${cutTo(sourceOf(content), 200, { escape })}</i>`,
  ]
    .filter(Boolean)
    .join('\n\n')
}
