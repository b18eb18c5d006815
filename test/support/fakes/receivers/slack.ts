import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { startReceiver, visible } from './receiver.ts'

const textObject = <T extends string>(type: T, most: number) =>
  z.strictObject({ type: z.literal(type), text: z.string().min(1).max(most) })
const plainText = (most: number) => textObject('plain_text', most).extend({ emoji: z.boolean().optional() })
const markdown = (most: number) => textObject('mrkdwn', most).extend({ verbatim: z.boolean().optional() })
const anyText = (most: number) => z.union([plainText(most), markdown(most)])
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
const attachment = z.strictObject({
  color: z.string().regex(/^#[0-9a-f]{6}$/),
  fallback: z.string().optional(),
  blocks: z.array(block).max(50),
})
const payload = z.looseObject({
  text: z.string().max(40_000).default(''),
  blocks: z.array(block).max(50).default([]),
  attachments: z.array(attachment).max(100).default([]),
})

type Text = z.output<ReturnType<typeof anyText>>

/** Slack's incoming webhooks: what a member of the channel sees, and who is mentioned. */
export async function startSlack() {
  let path = '/services/T01/B01/tokenOfSlack'
  const receiver = await startReceiver({
    payload,
    invalid: () => new Refusal(400, 'invalid_blocks'),
    check(request) {
      if (request.method !== 'POST') throw new Refusal(405, 'method_not_allowed')
      if (request.url.pathname !== path) throw new Refusal(404, 'no_service')
    },
    receive({ text, blocks, attachments }) {
      if (!text && blocks.length === 0 && attachments.length === 0) throw new Refusal(400, 'no_text')
      const texts = [...blocks, ...attachments.flatMap((one) => one.blocks)].flatMap(textsOf)
      const all = [text, ...texts.map((one) => one.text)].join('\n')
      return {
        shown: visible(...texts.map(show)),
        colour: attachments[0]?.color ?? '',
        calls: all.match(/<[!@#][^>]*>/g) ?? [],
        link: decode(/<(https?:[^|>]+)\|/.exec(all)?.[1] ?? ''),
      }
    },
    accepted: () => ({ status: 200, body: 'ok' }),
  })
  return {
    ...receiver,
    settings: { url: `${receiver.url}${path}` },
    /** The webhook was removed in Slack. */
    remove: () => void (path = '/gone'),
  }
}

function textsOf(one: z.output<typeof block>): Text[] {
  if (one.type === 'context') return one.elements
  if (one.type === 'header') return [one.text]
  return [...(one.text ? [one.text] : []), ...(one.fields ?? [])]
}

const decode = (text: string) => text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&')

/** Renders as Slack does: markup is removed, except in code. */
function show({ type, text }: Text): string {
  if (type === 'plain_text') return decode(text)
  const code = /^```([^]*)```$/.exec(text)?.[1]
  if (code !== undefined) return decode(code)
  return decode(
    text.replaceAll(/<[^|>]*\|([^>]*)>/g, '$1').replaceAll(/\*(.+?)\*|_(.+?)_|~(.+?)~/g, '$1$2$3'),
  )
}
