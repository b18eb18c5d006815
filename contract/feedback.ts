import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { text } from './shared/text-fields.ts'
import { success } from './shared/replies.ts'

export const feedbackKinds = ['idea', 'problem', 'other'] as const

export const sendFeedback = endpoint('POST /v1/feedback', {
  access: 'user',
  session: true,
  summary: 'Send feedback to the operator of this instance',
  body: z.strictObject({
    message: text(5_000).trim().min(1, { error: 'Must not be empty.' }),
    kind: z.enum(feedbackKinds, { error: 'Must be idea, problem or other.' }).default('other'),
    page: text(500).default('').describe('Path of the console page that the feedback is about.'),
  }),
  reply: success,
  status: 201,
  idempotent: true,
  limit: 10,
})
