import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint('GET /v1/health', {
  access: 'public',
  summary: 'Whether Slipway is ready, and if not why',
  reply: z.object({ status: z.literal('ready'), version: z.string() }),
})
