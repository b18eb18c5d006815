import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { readHtml } from './html.ts'
import { startReceiver, visible } from './receiver.ts'

const payload = z.looseObject({
  token: z.string(),
  user: z.string(),
  message: z.string(),
  title: z.string().default(''),
  url: z.string().default(''),
  url_title: z.string().default(''),
  html: z.literal(1).optional(),
  priority: z.number().int().min(-2).max(2).default(0),
  retry: z.number().default(0),
  expire: z.number().default(0),
  timestamp: z.number().int().optional(),
})

const refuse = (error: string, more: object = {}) =>
  new Refusal(400, { ...more, errors: [error], status: 0, request: 'd0e8' })

/** Pushover, with one application and one user. */
export async function startPushover() {
  const [token, user] = ['azGDORePK8gMaC0QOYAMyEEuzJnyUi', 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG']
  const users = new Set([user])
  const receiver = await startReceiver({
    payload,
    invalid: () => refuse('message cannot be blank'),
    check({ url }) {
      if (url.pathname !== '/1/messages.json') throw new Refusal(404, { status: 0 })
    },
    receive({ message, title, url, url_title, html, priority, retry, expire, ...sender }) {
      if (sender.token !== token) throw refuse('application token is invalid', { token: 'invalid' })
      if (!users.has(sender.user))
        throw refuse('user identifier is not a valid user, group, or subscribed user key', {
          user: 'invalid',
        })
      if (message === '') throw refuse('message cannot be blank', { message: 'cannot be blank' })
      if (message.length > 1_024) throw refuse('message is too long')
      if (title.length > 250) throw refuse('title is too long')
      if (url.length > 512 || url_title.length > 100) throw refuse('url is too long')
      if (priority === 2 && (retry < 30 || expire < 1 || expire > 10_800))
        throw refuse('retry must be supplied with priority=2')
      const parsed = html ? readHtml(message, ['b', 'i', 'u', 'font', 'a']) : { text: message }
      if (!parsed) throw refuse('message is not well formed')
      return { shown: visible(title, parsed.text, url_title), priority, link: url }
    },
    accepted: () => ({ status: 200, body: { status: 1, request: '647d' } }),
  })
  return {
    ...receiver,
    env: { PUSHOVER_API_URL: receiver.url },
    settings: { token, user },
    remove: () => users.clear(),
  }
}
