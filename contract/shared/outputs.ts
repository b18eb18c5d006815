import { z } from 'zod'
import { time } from './ids.ts'

/** Events of an output stream: `connected` first, then `output` events, then `end`. */
export const outputEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({
    type: z.literal('output'),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
    at: time.describe('Time of the output.'),
  }),
  z.object({ type: z.literal('end') }),
])
