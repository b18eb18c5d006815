import { z } from 'zod'
import { Refusal } from '../http-service.ts'
import { startReceiver, visible } from './receiver.ts'

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
const openUrl = z.strictObject({
  type: z.literal('Action.OpenUrl'),
  title: z.string().min(1),
  url: z.url(),
})
const card = z.strictObject({
  $schema: z.string().optional(),
  type: z.literal('AdaptiveCard'),
  version: z.enum(['1.0', '1.2', '1.3', '1.4', '1.5']),
  fallbackText: z.string().optional(),
  msteams: z.strictObject({ width: z.literal('Full') }).optional(),
  body: z.array(z.union([rich, container])).min(1),
  actions: z.array(openUrl).max(6).default([]),
})
const attachment = z.looseObject({
  contentType: z.literal('application/vnd.microsoft.card.adaptive'),
  content: card,
})
const payload = z.looseObject({
  type: z.literal('message'),
  attachments: z.tuple([attachment]),
})

const refuse = (status: number, code: string, message: string) =>
  new Refusal(status, { error: { code, message } })

/** A workflow of Teams that posts what its webhook receives. */
export async function startTeams() {
  const signature = 'signatureOfTeams'
  let isDeleted = false
  const receiver = await startReceiver({
    payload,
    invalid: () => refuse(400, 'TriggerInputSchemaMismatch', 'The input body is not valid.'),
    check({ url, body }) {
      if (isDeleted || !url.pathname.endsWith('/triggers/manual/paths/invoke'))
        throw refuse(404, 'WorkflowNotFound', "The workflow 'abc' could not be found.")
      if (url.searchParams.get('sig') !== signature)
        throw refuse(401, 'DirectApiAuthorizationRequired', 'The authentication credentials are not valid.')
      if (Buffer.byteLength(body) > 28 * 1024)
        throw refuse(413, 'RequestEntityTooLarge', 'The card is too large.')
    },
    receive({ attachments: [{ content }] }) {
      const { body, actions } = content
      const containers = body.filter((one) => one.type === 'Container')
      const texts = body
        .flatMap((one) => (one.type === 'Container' ? one.items : [one]))
        .map(({ inlines }) => inlines.map(({ text }) => text).join(''))
      return {
        shown: visible(...texts, ...actions.map(({ title }) => title)),
        style: containers[0]?.style ?? '',
        functions: texts.join('\n').match(/[{$]\{[^}]*\}/g) ?? [],
        link: actions[0]?.url ?? '',
      }
    },
    accepted: () => ({ status: 202 }),
  })
  const path = '/workflows/abc/triggers/manual/paths/invoke'
  return {
    ...receiver,
    settings: { url: `${receiver.url}${path}?api-version=1&sig=${signature}` },
    remove: () => void (isDeleted = true),
  }
}
