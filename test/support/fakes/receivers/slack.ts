import { z } from 'zod'
import { readJson, Refusal, seen, startReceiver } from './receiver.ts'

const plainText = (most: number) =>
  z.strictObject({
    type: z.literal('plain_text'),
    text: z.string().min(1).max(most),
    emoji: z.boolean().optional(),
  })
const marked = (most: number) =>
  z.strictObject({
    type: z.literal('mrkdwn'),
    text: z.string().min(1).max(most),
    verbatim: z.boolean().optional(),
  })
const anyText = (most: number) => z.union([plainText(most), marked(most)])
const block = z.union([
  z.strictObject({ type: z.literal('header'), text: plainText(150) }),
  z
    .strictObject({
      type: z.literal('section'),
      text: anyText(3_000).optional(),
      fields: z.array(anyText(2_000)).min(1).max(10).optional(),
    })
    .refine(({ text, fields }) => text ?? fields),
  z.strictObject({ type: z.literal('context'), elements: z.array(anyText(3_000)).min(1).max(10) }),
])
const payload = z.looseObject({
  text: z.string().max(40_000).optional(),
  blocks: z.array(block).max(50).optional(),
  attachments: z
    .array(
      z.strictObject({
        color: z.string().regex(/^#[0-9a-f]{6}$/),
        fallback: z.string().optional(),
        blocks: z.array(block).max(50),
      }),
    )
    .max(100)
    .optional(),
})

type Text = z.output<ReturnType<typeof anyText>>

/** Slack's incoming webhooks: what a member of the channel sees, and who was called by it. */
export async function startSlack() {
  const messages: { shown: string; colour: string; calls: string[]; link: string }[] = []
  let path = '/services/T01/B01/tokenOfSlack'

  const receiver = await startReceiver((request) => {
    if (request.method !== 'POST') throw new Refusal(405, 'method_not_allowed')
    if (request.url.pathname !== path) throw new Refusal(404, 'no_service')
    const body = readJson(request, () => new Refusal(400, 'invalid_payload'))
    const read = payload.safeParse(body)
    if (!read.success) throw new Refusal(400, 'invalid_blocks')
    const { text = '', blocks = [], attachments = [] } = read.data
    if (!text && blocks.length === 0 && attachments.length === 0) throw new Refusal(400, 'no_text')
    const texts = [...blocks, ...attachments.flatMap((one) => one.blocks)].flatMap(textsOf)
    const all = [text, ...texts.map((one) => one.text)].join('\n')
    messages.push({
      shown: seen(...texts.map(show)),
      colour: attachments[0]?.color ?? '',
      calls: all.match(/<[!@#][^>]*>/g) ?? [],
      link: decode(/<(https?:[^|>]+)\|/.exec(all)?.[1] ?? ''),
    })
    return { status: 200, body: 'ok' }
  })

  return {
    ...receiver,
    messages,
    settings: { url: `${receiver.url}${path}` },
    /** Somebody has removed the webhook in Slack. */
    remove() {
      path = '/gone'
    },
  }
}

function textsOf(one: z.output<typeof block>): Text[] {
  if (one.type === 'context') return one.elements
  if (one.type === 'header') return [one.text]
  return [...(one.text ? [one.text] : []), ...(one.fields ?? [])]
}

const decode = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** As Slack shows it: what is marked loses its marks, but for code. */
function show({ type, text }: Text): string {
  if (type === 'plain_text') return decode(text)
  const code = /^```([^]*)```$/.exec(text)?.[1]
  if (code !== undefined) return decode(code)
  return decode(
    text.replaceAll(/<[^|>]*\|([^>]*)>/g, '$1').replaceAll(/\*(.+?)\*|_(.+?)_|~(.+?)~/g, '$1$2$3'),
  )
}
