import { z } from 'zod'
import { readHtml } from './html.ts'
import { readJson, Refusal, seen, startReceiver } from './receiver.ts'

const payload = z.looseObject({
  chat_id: z.union([z.string(), z.number()]),
  message_thread_id: z.number().int().optional(),
  text: z.string(),
  parse_mode: z.enum(['HTML', 'MarkdownV2', 'Markdown']).optional(),
  link_preview_options: z.object({ is_disabled: z.boolean().optional() }).optional(),
  disable_notification: z.boolean().optional(),
})

const no = (status: number, description: string, more: object = {}) =>
  new Refusal(status, { ok: false, error_code: status, description, ...more })

/** Telegram's Bot API, with one bot that is in one chat. */
export async function startTelegram() {
  const token = '123456789:AAEhBOweik6ad9r_tokenOfTelegram'
  const chat = '-1001234567890'
  const messages: {
    shown: string
    calls: string[]
    silent: boolean
    topic: number | undefined
    link: string
  }[] = []
  let isBlocked = false

  const receiver = await startReceiver((request) => {
    const [, given, method] = /^\/bot([^/]+)\/(\w+)$/.exec(request.url.pathname) ?? []
    if (given !== token) throw no(401, 'Unauthorized')
    if (method !== 'sendMessage') throw no(404, 'Not Found')
    const read = payload.safeParse(readJson(request, () => no(400, 'Bad Request: message text is empty')))
    if (!read.success) throw no(400, 'Bad Request: message text is empty')
    const { chat_id, text, parse_mode, disable_notification = false, message_thread_id } = read.data
    if (String(chat_id) !== chat) throw no(400, 'Bad Request: chat not found')
    if (isBlocked) throw no(403, 'Forbidden: bot was kicked from the supergroup chat')
    const parsed =
      parse_mode === 'HTML' ? readHtml(text, ['b', 'i', 'u', 's', 'code', 'pre', 'a']) : { text, links: [] }
    if (!parsed) throw no(400, "Bad Request: can't parse entities: Unsupported start tag at byte offset 0")
    if (parsed.text.trim() === '') throw no(400, 'Bad Request: message text is empty')
    if (parsed.text.length > 4_096) throw no(400, 'Bad Request: message is too long')
    messages.push({
      shown: seen(parsed.text),
      // Nobody is called from within code.
      calls: text.replaceAll(/<pre>[^]*?<\/pre>/g, '').match(/(?<!\w)@\w+/g) ?? [],
      silent: disable_notification,
      topic: message_thread_id,
      link: parsed.links[0] ?? '',
    })
    return { status: 200, body: { ok: true, result: { message_id: messages.length } } }
  })

  return {
    ...receiver,
    messages,
    env: { TELEGRAM_API_URL: receiver.url },
    settings: { token, chat },
    /** Somebody has thrown the bot out. */
    remove() {
      isBlocked = true
    },
  }
}
