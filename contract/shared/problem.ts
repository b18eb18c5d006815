import { z } from 'zod'

export const problem = z.object({
  error: z.string().meta({ description: 'Error message.' }),
  code: z.string().meta({ description: 'Machine-readable error code in snake_case.' }),
  url: z.string().optional().meta({ description: 'Page where the problem can be resolved.' }),
})

export const invalid = z.object({
  errors: z.record(z.string(), z.array(z.string())).meta({ description: 'Messages for each invalid field.' }),
})
