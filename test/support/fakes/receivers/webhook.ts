import { createHmac, timingSafeEqual } from 'node:crypto'
import { z } from 'zod'
import { readJson, type Request, Refusal, seen, startReceiver } from './receiver.ts'

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

/** Somebody's own program, which checks every signature as Standard Webhooks asks for, and takes each id once. */
export async function startWebhook() {
  const key = Buffer.from('secretOfWebhook-0123456789')
  const settings = { secret: `whsec_${key.toString('base64')}` }
  const messages: { id: string; type: string; shown: string; link: string }[] = []
  let isThere = true

  const receiver = await startReceiver((request) => {
    if (!isThere) throw new Refusal(410, 'Gone')
    if (request.url.pathname !== '/hook') throw new Refusal(404, 'Not found')
    if (!isSigned(request, key)) throw new Refusal(401, 'The signature is wrong')
    const { id, type, data } = payload.parse(readJson(request, () => new Refusal(400, 'No JSON')))
    if (id !== request.headers['webhook-id']) throw new Refusal(400, 'Two ids')
    const facts = data.facts.map(({ label, value }) => `${label}: ${value}`)
    const shown = seen(data.title, data.text, ...facts, ...data.lines, data.link.label, data.workspace.name)
    if (!messages.some((one) => one.id === id)) messages.push({ id, type, shown, link: data.link.url })
    return { status: 200, body: 'thanks' }
  })

  return {
    ...receiver,
    messages,
    settings: { ...settings, url: `${receiver.url}/hook` },
    remove() {
      isThere = false
    },
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
