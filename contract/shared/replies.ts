import { z } from 'zod'
import { text, time } from './text-fields.ts'
import { outputOrigins } from './output-origins.ts'
import { numberParameter } from './numbers.ts'

export const pageQuery = {
  // Long enough for the longest sort key.
  cursor: text(2000).optional(),
  limit: numberParameter(200).default(50),
}

export const page = z.object({ next: z.string().nullable(), total: z.int() })

export const pagedList = <K extends string, S extends z.ZodType>(plural: K, item: S) =>
  z.object({ [plural]: z.array(item), page } as Record<K, z.ZodArray<S>> & { page: typeof page })

export const success = z.object({ success: z.literal(true) })

export const problem = z.object({
  error: z.string().describe('Error message.'),
  code: z.string().describe('Machine-readable error code in snake_case.'),
  url: z.string().optional().describe('URL of the page where the problem can be resolved.'),
})

export const invalid = z.object({
  errors: z.record(z.string(), z.array(z.string())).describe('Error messages by field.'),
})

export const outputEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('connected') }),
  z.object({
    type: z.literal('output'),
    stream: z.enum(['stdout', 'stderr']),
    text: z.string(),
    origin: z.enum(outputOrigins).optional().describe('Origin of the output. Only in logs of deployments.'),
    at: time.describe('Time of the output.'),
  }),
  z.object({ type: z.literal('end') }),
])

/** Makes each field optional: omitted fields do not change. */
export const changes = <S extends z.ZodRawShape>(fields: S) =>
  z
    .strictObject(fields)
    .partial()
    .refine((body) => Object.keys(body).length > 0, { error: 'Send at least one field to change.' })
