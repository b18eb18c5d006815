import { z } from 'zod'
import { readHtml } from './html.ts'
import { readJson, Refusal, seen, startReceiver } from './receiver.ts'

const payload = z.looseObject({
  token: z.string(),
  user: z.string(),
  message: z.string(),
  title: z.string().default(''),
  url: z.string().default(''),
  url_title: z.string().default(''),
  html: z.literal(1).optional(),
  priority: z.number().int().min(-2).max(2).default(0),
  retry: z.number().optional(),
  expire: z.number().optional(),
  timestamp: z.number().int().optional(),
})

const no = (error: string, more: object = {}) =>
  new Refusal(400, { ...more, errors: [error], status: 0, request: 'd0e8' })

/** Pushover, with one application and one user. */
export async function startPushover() {
  const [token, user] = ['azGDORePK8gMaC0QOYAMyEEuzJnyUi', 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG']
  const messages: { shown: string; priority: number; link: string }[] = []
  const users = new Set([user])

  const receiver = await startReceiver((request) => {
    if (request.url.pathname !== '/1/messages.json') throw new Refusal(404, { status: 0 })
    const read = payload.safeParse(readJson(request, () => no('message cannot be blank')))
    if (!read.success) throw no('message cannot be blank')
    const { message, title, url, url_title, html, priority, retry = 0, expire = 0 } = read.data
    if (read.data.token !== token) throw no('application token is invalid', { token: 'invalid' })
    if (!users.has(read.data.user))
      throw no('user identifier is not a valid user, group, or subscribed user key', { user: 'invalid' })
    if (message === '') throw no('message cannot be blank', { message: 'cannot be blank' })
    if (message.length > 1_024) throw no('message is too long')
    if (title.length > 250) throw no('title is too long')
    if (url.length > 512 || url_title.length > 100) throw no('url is too long')
    if (priority === 2 && (retry < 30 || expire < 1 || expire > 10_800))
      throw no('retry must be supplied with priority=2')
    const parsed = html ? readHtml(message, ['b', 'i', 'u', 'font', 'a']) : { text: message }
    if (!parsed) throw no('message is not well formed')
    messages.push({ shown: seen(title, parsed.text, url_title), priority, link: url })
    return { status: 200, body: { status: 1, request: '647d' } }
  })

  return {
    ...receiver,
    messages,
    env: { PUSHOVER_API_URL: receiver.url },
    settings: { token, user },
    remove: () => users.clear(),
  }
}
