import { z } from 'zod'
import { endpoint } from './endpoint.ts'

export const getHealth = endpoint('GET /v1/health', {
  access: 'public',
  summary: 'Check that Slipway is ready',
  reply: z.object({ status: z.literal('ready'), version: z.string() }),
})
