import { z } from 'zod'
import {
  generators,
  inputTypes,
  templateCategories,
  type templateInput,
} from '../../../contract/templates.ts'
import { name, text } from '../../../contract/shared/text-fields.ts'
import { isComposeSetting } from '../compose/read/interpolate.ts'

export type Input = z.output<typeof templateInput>

type Generator = NonNullable<Input['generate']>

const choice = z.union(
  [
    z.union([z.string(), z.number(), z.boolean()]).transform(String),
    z.strictObject({
      value: z.union([z.string(), z.number(), z.boolean()]).transform(String),
      label: name(100),
    }),
  ],
  { error: 'Must be a value, or a value with a label.' },
)

/** Default lengths: bytes for hex and base64, characters for passwords. Other generators have a fixed format. */
const lengths: Partial<Record<Generator['kind'], number>> = { password: 24, hex: 32, base64: 32 }

const kind = z.enum(generators, { error: `Must be one of ${generators.join(', ')}.` })
const generate = z
  .union(
    [
      kind.transform((generator) => ({ kind: generator, length: undefined })),
      z.strictObject({
        kind,
        length: z
          .int({ error: 'Must be a whole number.' })
          .min(8, { error: 'Must be at least 8. Shorter values can be guessed.' })
          .max(256, { error: 'Must be at most 256.' })
          .optional(),
      }),
    ],
    {
      error: `Must be one of ${generators.join(', ')}, or a kind with a length such as {kind: hex, length: 64}.`,
    },
  )
  .refine((generator) => generator.length === undefined || lengths[generator.kind] !== undefined, {
    error: 'Only password, hex and base64 can have a length.',
  })
  .transform((generator): Generator => ({
    kind: generator.kind,
    length: generator.length ?? lengths[generator.kind] ?? 0,
  }))

const inputFields = z.strictObject({
  name: text(100, 1)
    .regex(/^[A-Za-z_]\w*$/, {
      error: 'Must start with a letter or _ and contain only letters, digits and _, such as ADMIN_EMAIL.',
    })
    .refine((key) => !isComposeSetting(key), {
      error: 'Must not start with COMPOSE_. Docker Compose uses this prefix for its own settings.',
    }),
  label: name(100).optional(),
  help: text(500).trim().optional(),
  type: z.enum(inputTypes).optional(),
  required: z.boolean().optional(),
  default: z
    .union([text(4_096), z.number(), z.boolean()], { error: 'Must be text, a number, true or false.' })
    .transform(String)
    .optional(),
  generate: generate.optional(),
  choices: z
    .array(choice)
    .min(1, { error: 'Must not be empty.' })
    .max(100, { error: 'Must have at most 100 entries.' })
    .optional(),
  pattern: text(200, 1).optional(),
  min: z.number().optional(),
  max: z.number().optional(),
  advanced: z.boolean().optional(),
})

export const inputKeys = Object.keys(inputFields.shape)

const input = inputFields.transform((fields): Input => {
  const hasValue = fields.default !== undefined || fields.generate !== undefined
  const type = fields.type ?? typeFor(fields.generate)
  return {
    name: fields.name,
    label: fields.label ?? fields.name,
    help: fields.help ?? null,
    type,
    // Not every server has an address to generate a domain from.
    required: fields.required ?? (type === 'domain' || !hasValue),
    default: fields.default ?? null,
    generate: fields.generate ?? null,
    choices: (fields.choices ?? []).map((choice) =>
      typeof choice === 'string' ? { value: choice, label: choice } : choice,
    ),
    pattern: fields.pattern ?? null,
    min: fields.min ?? null,
    max: fields.max ?? null,
    advanced: fields.advanced ?? hasValue,
  }
})

const typeFor = (generator: Generator | undefined): Input['type'] => {
  if (generator === undefined || generator.kind === 'user' || generator.kind === 'uuid') return 'text'
  return generator.kind === 'domain' ? 'domain' : 'secret'
}

const address = text(500, 1).refine((url) => URL.canParse(url) && new URL(url).protocol === 'https:', {
  error: 'Must be a URL that starts with https://.',
})

const templateFields = z.strictObject({
  name: name(100),
  description: name(200),
  category: z.enum(templateCategories),
  logo: text(60)
    .regex(/^[a-z0-9]+$/, { error: 'Must be the name of a logo, such as postgresql.' })
    .optional(),
  links: z.record(name(40), address).default({}),
  memory: z
    .string()
    .transform(parseMemory)
    .refine((bytes) => bytes !== undefined, { error: 'Must be a size, such as 512 MB or 1.5 GB.' })
    .optional(),
  http: z
    .strictObject({
      service: text(100, 1),
      port: z
        .int({ error: 'Must be a port from 1 to 65535.' })
        .min(1, { error: 'Must be a port from 1 to 65535.' })
        .max(65_535, { error: 'Must be a port from 1 to 65535.' }),
    })
    .optional(),
  inputs: z.array(input).max(100, { error: 'Must have at most 100 entries.' }).default([]),
  notes: text(10_000).optional(),
})

export const templateKeys = Object.keys(templateFields.shape)

export const templateSchema = templateFields.transform(({ links, memory, ...given }) => ({
  ...given,
  logo: given.logo ?? null,
  links: Object.entries(links).map(([label, url]) => ({ label, url })),
  memory_bytes: memory ?? null,
  http: given.http ?? null,
  notes: given.notes?.trim() || null,
}))

export type Template = z.output<typeof templateSchema>

const units = { MB: 1_024 ** 2, GB: 1_024 ** 3 }

/** Parses sizes such as `512 MB` and `1.5 GB`. Units are multiples of 1,024, as memory is sold. */
function parseMemory(memory: string): number | undefined {
  const { number, unit } =
    /^(?<number>\d{1,4}(?:\.\d{1,2})?) ?(?<unit>MB|GB)$/.exec(memory.trim())?.groups ?? {}
  if (number === undefined || (unit !== 'MB' && unit !== 'GB')) return undefined
  return Math.round(Number(number) * units[unit])
}

export const formatMemory = (bytes: number) =>
  bytes >= units.GB ? `${Number((bytes / units.GB).toFixed(2))} GB` : `${Math.ceil(bytes / units.MB)} MB`
