import { z } from 'zod'
import { readJson, Refusal, seen, startReceiver } from './receiver.ts'

const filled = (most: number) => z.string().trim().min(1).max(most)
const embed = z.strictObject({
  title: filled(256).optional(),
  description: filled(4_096).optional(),
  color: z.number().int().min(0).max(0xffffff).optional(),
  fields: z
    .array(z.strictObject({ name: filled(256), value: filled(1_024), inline: z.boolean().optional() }))
    .max(25)
    .optional(),
  footer: z.strictObject({ text: filled(2_048) }).optional(),
})
const payload = z.looseObject({
  content: z.string().max(2_000).optional(),
  username: filled(80)
    .refine((name) => !/discord|clyde/i.test(name))
    .optional(),
  allowed_mentions: z.strictObject({ parse: z.array(z.enum(['roles', 'users', 'everyone'])) }).optional(),
  embeds: z.array(embed).max(10).optional(),
})

/** Discord's webhooks: what a member of the channel sees, what was made bold or a link, and who was called. */
export async function startDiscord() {
  const messages: { shown: string; colour: number; markup: string[]; calls: string[]; link: string }[] = []
  let path = '/api/webhooks/1234567890/token-Of_Discord'

  const receiver = await startReceiver((request) => {
    if (request.method !== 'POST') throw new Refusal(405, { message: '405: Method Not Allowed', code: 0 })
    if (request.url.pathname !== path) throw new Refusal(404, { message: 'Unknown Webhook', code: 10_015 })
    const body = readJson(
      request,
      () => new Refusal(400, { message: 'The request body contains invalid JSON.', code: 50_109 }),
    )
    const read = payload.safeParse(body)
    if (!read.success) throw new Refusal(400, { message: 'Invalid Form Body', code: 50_035 })
    const { content = '', embeds = [], allowed_mentions: allowed } = read.data
    const [one] = embeds
    if (!content && !one) throw new Refusal(400, { message: 'Cannot send an empty message', code: 50_006 })
    const texts = [
      one?.title,
      one?.description,
      ...(one?.fields ?? []).flatMap(({ name, value }) => [name, value]),
    ]
    const footer = one?.footer?.text ?? ''
    if ([...texts, footer].join('').length > 6_000)
      throw new Refusal(400, { message: 'Invalid Form Body', code: 50_035 })
    const pieces = texts.map((text) => show(text ?? ''))
    messages.push({
      shown: seen(...pieces.map(({ shown }) => shown), footer),
      colour: one?.color ?? 0,
      markup: pieces.flatMap(({ markup }) => markup),
      calls:
        allowed?.parse.length === 0 ? [] : (JSON.stringify(read.data).match(/@(everyone|here)|<@/g) ?? []),
      link: /\]\(<(.+)>\)/.exec(one?.description ?? '')?.[1] ?? '',
    })
    return request.url.searchParams.get('wait') === 'true'
      ? { status: 200, body: { id: String(messages.length), type: 0 } }
      : { status: 204 }
  })

  return {
    ...receiver,
    messages,
    settings: { url: `${receiver.url}${path}` },
    remove() {
      path = '/gone'
    },
  }
}

/** As Discord shows it: code and links are taken as such, and after a backslash every sign is itself. */
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
