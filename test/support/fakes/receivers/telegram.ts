import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { readHtml } from './html.ts'
import { startReceiver, visible } from './receiver.ts'

const payload = z.looseObject({
  chat_id: z.union([z.string(), z.number()]),
  message_thread_id: z.number().int().optional(),
  text: z.string(),
  parse_mode: z.enum(['HTML', 'MarkdownV2', 'Markdown']).optional(),
  link_preview_options: z.object({ is_disabled: z.boolean().optional() }).optional(),
  disable_notification: z.boolean().default(false),
})

const refuse = (status: number, description: string) =>
  new Refusal(status, { ok: false, error_code: status, description })

/** Telegram's Bot API, with one bot that is a member of one chat. */
export async function startTelegram() {
  const token = '123456789:AAEhBOweik6ad9r_tokenOfTelegram'
  const chat = '-1001234567890'
  let isKicked = false
  const receiver = await startReceiver({
    payload,
    invalid: () => refuse(400, 'Bad Request: message text is empty'),
    check({ url }) {
      const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(url.pathname) ?? []
      if (given !== token) throw refuse(401, 'Unauthorized')
      if (method !== 'sendMessage') throw refuse(404, 'Not Found')
    },
    receive({ chat_id, text, parse_mode, disable_notification: silent, message_thread_id: topic }) {
      if (String(chat_id) !== chat) throw refuse(400, 'Bad Request: chat not found')
      if (isKicked) throw refuse(403, 'Forbidden: bot was kicked from the supergroup chat')
      const isHtml = parse_mode === 'HTML'
      const parsed = isHtml ? readHtml(text, ['b', 'i', 'u', 's', 'code', 'pre', 'a']) : { text, links: [] }
      if (!parsed)
        throw refuse(400, "Bad Request: can't parse entities: Unsupported start tag at byte offset 0")
      if (parsed.text.trim() === '') throw refuse(400, 'Bad Request: message text is empty')
      if (parsed.text.length > 4_096) throw refuse(400, 'Bad Request: message is too long')
      // Telegram does not recognize mentions in code.
      const calls = text.replaceAll(/<pre>[^]*?<\/pre>/g, '').match(/(?<!\w)@\w+/g) ?? []
      return { shown: visible(parsed.text), calls, silent, topic, link: parsed.links[0] ?? '' }
    },
    accepted: () => ({ status: 200, body: { ok: true, result: { message_id: 1 } } }),
  })
  return {
    ...receiver,
    env: { TELEGRAM_API_URL: receiver.url },
    settings: { token, chat },
    /** The bot was kicked from the chat. */
    remove: () => void (isKicked = true),
  }
}
