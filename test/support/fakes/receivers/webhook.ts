import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { type Request, startReceiver, visible } from './receiver.ts'

const payload = z.strictObject({
  id: z.string(),
  type: z.string().regex(/^[a-z_]+(\.[a-z]+)?$/),
  timestamp: z.iso.datetime(),
  data: z.strictObject({
    kind: z.string(),
    severity: z.string(),
    event: z.string(),
    title: z.string(),
    text: z.string(),
    facts: z.array(z.strictObject({ label: z.string(), value: z.string() })),
    lines: z.array(z.string()),
    link: z.strictObject({ label: z.string(), url: z.url() }),
    workspace: z.strictObject({ id: z.string(), name: z.string() }),
    ids: z.record(z.string(), z.string()),
  }),
})

/** A customer's own endpoint, which verifies signatures as Standard Webhooks specifies and accepts each id once. */
export async function startWebhook() {
  const key = Buffer.from('secretOfWebhook-0123456789')
  const ids = new Set<string>()
  let isGone = false
  const receiver = await startReceiver({
    payload,
    invalid: () => new Refusal(400, 'Invalid payload'),
    check(request) {
      if (isGone) throw new Refusal(410, 'Gone')
      if (request.url.pathname !== '/hook') throw new Refusal(404, 'Not found')
      if (!isSigned(request, key)) throw new Refusal(401, 'The signature is wrong')
    },
    receive({ id, type, data }, { headers }) {
      if (id !== headers['webhook-id']) throw new Refusal(400, 'Two ids')
      if (ids.has(id)) return undefined
      ids.add(id)
      const facts = data.facts.map(({ label, value }) => `${label}: ${value}`)
      const parts = [data.title, data.text, ...facts, ...data.lines, data.link.label, data.workspace.name]
      return { id, type, shown: visible(...parts), link: data.link.url }
    },
    accepted: () => ({ status: 200, body: 'thanks' }),
  })
  return {
    ...receiver,
    settings: { secret: `whsec_${key.toString('base64')}`, url: `${receiver.url}/hook` },
    remove: () => void (isGone = true),
  }
}

function isSigned({ headers, body }: Request, key: Buffer): boolean {
  const [id, time] = [headers['webhook-id'], headers['webhook-timestamp']]
  const [version, given = ''] = String(headers['webhook-signature'] ?? '').split(',')
  if (version !== 'v1' || Math.abs(Date.now() / 1000 - Number(time)) > 300) return false
  const own = createHmac('sha256', key)
    .update(`${String(id)}.${String(time)}.${body}`)
    .digest()
  const sent = Buffer.from(given, 'base64')
  return sent.length === own.length && timingSafeEqual(sent, own)
}
