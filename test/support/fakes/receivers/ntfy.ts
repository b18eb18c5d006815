import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { startReceiver, visible } from './receiver.ts'

const action = z.strictObject({
  action: z.enum(['view', 'http', 'broadcast']),
  label: z.string().min(1),
  url: z.url(),
})
const payload = z.looseObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().default(''),
  message: z.string().default('triggered'),
  tags: z.array(z.string()).default([]),
  priority: z.number().int().min(1).max(5).default(3),
  click: z.url().optional(),
  actions: z.array(action).max(3).default([]),
  markdown: z.boolean().optional(),
})

const refuse = (http: number, code: number, error: string) =>
  new Refusal(http, { code, http, error, link: 'https://ntfy.sh/docs/publish/' })

/** An ntfy server with one topic, which requires a token. */
export async function startNtfy() {
  const [topic, token] = ['harbour-8f3kq2', 'tk_tokenOfNtfy1234567890abcdef']
  const tokens = new Set([token])
  const receiver = await startReceiver({
    payload,
    invalid: () => refuse(400, 40_017, 'invalid request: request body must be message JSON'),
    check({ url, headers }) {
      if (url.pathname !== '/') throw refuse(404, 40_401, 'page not found')
      if (!tokens.has(headers.authorization?.replace('Bearer ', '') ?? ''))
        throw refuse(401, 40_101, 'unauthorized')
    },
    receive({ topic: to, title, message, priority, tags, click = '', actions }) {
      if (to !== topic) throw refuse(403, 40_301, 'forbidden')
      if (Buffer.byteLength(message) > 4_096)
        throw refuse(400, 40_014, 'invalid request: attachments not allowed')
      const shown = visible(title, message, ...actions.map(({ label }) => label))
      return { shown, priority, tags, link: click }
    },
    accepted: () => ({ status: 200, body: { id: 'x', event: 'message', topic } }),
  })
  return {
    ...receiver,
    settings: { server: receiver.url, topic, token },
    /** The token was revoked. */
    remove: () => tokens.clear(),
  }
}
