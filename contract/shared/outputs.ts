import { z } from 'zod'
import { time } from './ids.ts'

/** What a running program says, piece by piece: `connected` first, `output` as it comes, `end` when there is no more. */
export const outputEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({
    type: z.literal('output'),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
    at: time.meta({ description: 'When it was said.' }),
  }),
  z.object({ type: z.literal('end') }),
])
