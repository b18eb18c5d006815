import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { startReceiver, visible } from './receiver.ts'

const filled = (most: number) => z.string().trim().min(1).max(most)
const field = z.strictObject({ name: filled(256), value: filled(1_024), inline: z.boolean().optional() })
const embed = z.strictObject({
  title: filled(256).optional(),
  description: filled(4_096).optional(),
  color: z.number().int().min(0).max(0xffffff).optional(),
  fields: z.array(field).max(25).default([]),
  footer: z.strictObject({ text: filled(2_048) }).optional(),
})
const payload = z.looseObject({
  content: z.string().max(2_000).default(''),
  username: filled(80)
    .refine((name) => !/discord|clyde/i.test(name))
    .optional(),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(['roles', 'users', 'everyone'])) }).optional(),
  embeds: z.array(embed).max(10).default([]),
})

const refuse = (status: number, code: number, message: string) => new Refusal(status, { message, code })
const invalid = () => refuse(400, 50_035, 'Invalid Form Body')

/** Discord's webhooks: what a member of the channel sees, what became markup, and who is mentioned. */
export async function startDiscord() {
  let path = '/api/webhooks/1234567890/token-Of_Discord'
  const receiver = await startReceiver({
    payload,
    invalid,
    check(request) {
      if (request.method !== 'POST') throw refuse(405, 0, '405: Method Not Allowed')
      if (request.url.pathname !== path) throw refuse(404, 10_015, 'Unknown Webhook')
    },
    receive(message) {
      const { content, embeds, allowed_mentions: allowed } = message
      const [first] = embeds
      if (!content && !first) throw refuse(400, 50_006, 'Cannot send an empty message')
      const fields = (first?.fields ?? []).flatMap(({ name, value }) => [name, value])
      const texts = [first?.title ?? '', first?.description ?? '', ...fields]
      const footer = first?.footer?.text ?? ''
      if ([...texts, footer].join('').length > 6_000) throw invalid()
      const pieces = texts.map(show)
      const mentions = JSON.stringify(message).match(/@(everyone|here)|<@/g) ?? []
      return {
        shown: visible(...pieces.map(({ shown }) => shown), footer),
        colour: first?.color ?? 0,
        markup: pieces.flatMap(({ markup }) => markup),
        calls: allowed?.parse.length === 0 ? [] : mentions,
        link: /\]\(<(.+)>\)/.exec(first?.description ?? '')?.[1] ?? '',
      }
    },
    accepted: ({ url }) =>
      url.searchParams.get('wait') === 'true' ? { status: 200, body: { id: '1', type: 0 } } : { status: 204 },
  })
  return {
    ...receiver,
    settings: { url: `${receiver.url}${path}` },
    remove: () => void (path = '/gone'),
  }
}

/** Renders as Discord does: code and links are recognized, and a backslash escapes the next character. */
function show(text: string): { shown: string; markup: string[] } {
  const markup: string[] = []
  const shown = text.replaceAll(
    /```\n([^]*?)\n```|\[((?:\\.|[^\]\\])*)\]\(<[^>]*>\)|\\([^0-9A-Za-z\s])|([*_~|`<>@#[\]]|https?:\/\/)/g,
    (all, code?: string, label?: string, sign?: string) => {
      if (code !== undefined) return code
      if (label !== undefined) return label.replaceAll(/\\([^0-9A-Za-z\s])/g, '$1')
      if (sign !== undefined) return sign
      markup.push(all)
      return ''
    },
  )
  return { shown, markup }
}
