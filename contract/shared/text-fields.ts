import { z } from 'zod'

/** Refuses control characters that PostgreSQL or terminals cannot handle. */
export const text = (most: number, least = 0) =>
  z
    .string()
    .max(most, { error: `Must have at most ${most} characters.` })
    .min(least, { error: least === 1 ? 'Must not be empty.' : `Must have at least ${least} characters.` })
    .refine((value) => !unprintable.test(value), { error: 'Must not contain control characters.' })

/** The number of entries is checked before their content, so that a very long list is rejected cheaply. */
export const limitedRecord = <Output, Input>(most: number, record: z.ZodType<Output, Input>) =>
  z
    .custom<Input>()
    .refine((value) => typeof value !== 'object' || Object.keys(value ?? {}).length <= most, {
      error: `Must have at most ${most} entries.`,
    })
    .meta({ type: 'object', maxProperties: most })
    .pipe(record)

export const name = (most = 100) =>
  text(most)
    .trim()
    .min(1, { error: 'Must not be empty.' })
    .refine((value) => !/[\r\n\t]/.test(value), { error: 'Must be one line.' })
    .refine((value) => !disguising.test(value), {
      error: 'Must not contain characters that change the text direction.',
    })
    .refine((value) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(value), { error: 'Must contain a visible character.' })

/** Characters that change the text direction can make a name look like another. */
const disguising = /[\u202a-\u202e\u2066-\u2069]/

const unprintable =
  // oxlint-disable-next-line no-control-regex -- text with control characters is rejected
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/

export const email = text(254)
  .trim()
  .toLowerCase()
  .pipe(z.email({ error: 'Must be an email address, such as ada@example.com.' }))

export const time = z.string().meta({ format: 'date-time' })

export const timeInput = z.iso.datetime({ offset: true })
