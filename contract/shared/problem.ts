import { z } from 'zod'

export const problem = z.object({
  error: z.string().meta({ description: 'A sentence for a person.' }),
  code: z.string().meta({ description: 'The same for a program, in snake_case.' }),
  url: z.string().optional().meta({ description: 'Where a person can do something about it.' }),
})

export const invalid = z.object({
  errors: z
    .record(z.string(), z.array(z.string()))
    .meta({ description: 'Sentences for each invalid field.' }),
})
