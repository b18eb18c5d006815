import { z } from 'zod'
import { readJson, Refusal, seen, startReceiver } from './receiver.ts'

const payload = z.looseObject({
  topic: z.string().regex(/^[-_A-Za-z0-9]{1,64}$/),
  title: z.string().optional(),
  message: z.string().optional(),
  tags: z.array(z.string()).optional(),
  priority: z.number().int().min(1).max(5).optional(),
  click: z.url().optional(),
  actions: z
    .array(
      z.strictObject({
        action: z.enum(['view', 'http', 'broadcast']),
        label: z.string().min(1),
        url: z.url(),
      }),
    )
    .max(3)
    .optional(),
  markdown: z.boolean().optional(),
})

const no = (http: number, code: number, error: string) =>
  new Refusal(http, { code, http, error, link: 'https://ntfy.sh/docs/publish/' })

/** A server of ntfy, with one topic that asks for a token. */
export async function startNtfy() {
  const [topic, token] = ['harbour-8f3kq2', 'tk_tokenOfNtfy1234567890abcdef']
  const messages: { shown: string; priority: number; tags: string[]; link: string }[] = []
  const tokens = new Set([token])

  const receiver = await startReceiver((request) => {
    if (request.url.pathname !== '/') throw no(404, 40_401, 'page not found')
    const read = payload.safeParse(
      readJson(request, () => no(400, 40_017, 'invalid request: request body must be valid JSON')),
    )
    if (!read.success) throw no(400, 40_017, 'invalid request: request body must be message JSON')
    const { title = '', message = 'triggered', priority = 3, tags = [], click = '', actions = [] } = read.data
    if (!tokens.has(request.headers.authorization?.replace('Bearer ', '') ?? ''))
      throw no(401, 40_101, 'unauthorized')
    if (read.data.topic !== topic) throw no(403, 40_301, 'forbidden')
    if (Buffer.byteLength(message) > 4_096) throw no(400, 40_014, 'invalid request: attachments not allowed')
    messages.push({
      shown: seen(title, message, ...actions.map(({ label }) => label)),
      priority,
      tags,
      link: click,
    })
    return { status: 200, body: { id: 'x', event: 'message', topic, message } }
  })

  return {
    ...receiver,
    messages,
    settings: { server: receiver.url, topic, token },
    /** Somebody has taken the token back. */
    remove: () => tokens.clear(),
  }
}
