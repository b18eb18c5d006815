import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text, time } from './shared/text-fields.ts'

export const createStreamTicket = endpoint('POST /v1/stream-tickets', {
  access: 'user',
  resource: 'none',
  summary: 'Create a ticket for a stream or WebSocket',
  description: 'Pass the ticket as `?token=`. It can be used once and expires after 30 seconds.',
  body: z.strictObject({
    path: text(1_000, 1)
      .regex(/^\/v1\/[^?#]*$/, { error: 'Must be a path of the API without a query, such as /v1/live.' })
      .optional()
      .describe('Path that the ticket is valid for. Without a path, the ticket is valid for all streams.'),
  }),
  reply: z.object({ ticket: z.string(), expires_at: time }),
  status: 201,
})

export const streamLive = endpoint('GET /v1/live', {
  access: 'workspace.read',
  resource: 'filtered',
  summary: 'Stream changes in the workspace',
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: z.object({
    type: z.string().describe('Type of an audit log event, `connected`, or `gap` if events were missed.'),
    target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  }),
})
