import { z } from 'zod'

export const problem = z.object({
  error: z.string().describe('Error message.'),
  code: z.string().describe('Machine-readable error code in snake_case.'),
  url: z.string().optional().describe('Page where the problem can be resolved.'),
})

export const invalid = z.object({
  errors: z.record(z.string(), z.array(z.string())).describe('Messages for each invalid field.'),
})
