import { z } from 'zod'
import { readJson, Refusal, seen, startReceiver } from './receiver.ts'

const run = z.strictObject({
  type: z.literal('TextRun'),
  text: z.string().min(1),
  weight: z.enum(['Lighter', 'Default', 'Bolder']).optional(),
  size: z.enum(['Small', 'Default', 'Medium', 'Large']).optional(),
  fontType: z.enum(['Default', 'Monospace']).optional(),
  isSubtle: z.boolean().optional(),
})
const rich = z.strictObject({
  type: z.literal('RichTextBlock'),
  inlines: z.array(run).min(1),
  spacing: z.enum(['None', 'Small', 'Default']).optional(),
})
const container = z.strictObject({
  type: z.literal('Container'),
  style: z.enum(['default', 'emphasis', 'good', 'attention', 'warning', 'accent']).optional(),
  bleed: z.boolean().optional(),
  items: z.array(rich).min(1),
})
const card = z.strictObject({
  $schema: z.string().optional(),
  type: z.literal('AdaptiveCard'),
  version: z.enum(['1.0', '1.2', '1.3', '1.4', '1.5']),
  fallbackText: z.string().optional(),
  msteams: z.strictObject({ width: z.literal('Full') }).optional(),
  body: z.array(z.union([rich, container])).min(1),
  actions: z
    .array(z.strictObject({ type: z.literal('Action.OpenUrl'), title: z.string().min(1), url: z.url() }))
    .max(6)
    .optional(),
})
const payload = z.looseObject({
  type: z.literal('message'),
  attachments: z
    .array(
      z.looseObject({
        contentType: z.literal('application/vnd.microsoft.card.adaptive'),
        content: card,
      }),
    )
    .length(1),
})

const no = (status: number, code: string, message: string) =>
  new Refusal(status, { error: { code, message } })

/** A workflow of Teams that posts what its webhook gets. */
export async function startTeams() {
  const messages: { shown: string; style: string; functions: string[]; link: string }[] = []
  const sig = 'signatureOfTeams'
  let isThere = true

  const receiver = await startReceiver((request) => {
    const id = request.url.pathname.split('/')[2] ?? ''
    if (!isThere || !request.url.pathname.endsWith('/triggers/manual/paths/invoke'))
      throw no(404, 'WorkflowNotFound', `The workflow '${id}' could not be found.`)
    if (request.url.searchParams.get('sig') !== sig)
      throw no(401, 'DirectApiAuthorizationRequired', 'The authentication credentials are not valid.')
    if (Buffer.byteLength(request.body) > 28 * 1024)
      throw no(413, 'RequestEntityTooLarge', 'The card is too large.')
    const read = payload.safeParse(
      readJson(request, () => no(400, 'TriggerInputSchemaMismatch', 'The input body is not valid.')),
    )
    if (!read.success) throw no(400, 'TriggerInputSchemaMismatch', 'The input body is not valid.')
    const { body, actions = [] } = read.data.attachments[0]?.content ?? { body: [] }
    const all = body.flatMap((one) => (one.type === 'Container' ? one.items : [one]))
    const texts = all.map(({ inlines }) => inlines.map(({ text }) => text).join(''))
    messages.push({
      shown: seen(...texts, ...actions.map(({ title }) => title)),
      style: body.flatMap((one) => (one.type === 'Container' ? [one.style ?? ''] : []))[0] ?? '',
      functions: texts.join('\n').match(/[{$]\{[^}]*\}/g) ?? [],
      link: actions[0]?.url ?? '',
    })
    return { status: 202 }
  })

  return {
    ...receiver,
    messages,
    settings: { url: `${receiver.url}/workflows/abc/triggers/manual/paths/invoke?api-version=1&sig=${sig}` },
    remove() {
      isThere = false
    },
  }
}
