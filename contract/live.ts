import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text, time } from './ids.ts'

export const createStreamTicket = endpoint('POST /v1/stream-tickets', {
  access: 'user',
  summary: 'A ticket for a stream or a socket: lives 30 seconds, serves once, passed as ?token=',
  reply: z.object({ ticket: z.string(), expires_at: time }),
  status: 201,
})

export const streamLive = endpoint('GET /v1/live', {
  access: 'workspace.read',
  summary: 'What changes in the workspace, as it changes',
  query: z.strictObject({ token: text(200).optional() }),
  kind: 'events',
  reply: z.object({
    type: z
      .string()
      .meta({ description: 'An event of the audit log; `connected`; `gap` when some were missed.' }),
    target: z.object({ kind: z.string(), id: z.string() }).nullable(),
  }),
})
