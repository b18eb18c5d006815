import { z } from 'zod'

const notNumber = { error: 'Must be a number.' }
const notWhole = { error: 'Must be a whole number.' }
const notPort = { error: 'Must be a port from 1 to 65535.' }

export const wholeNumber = (least: number, most: number) =>
  z
    .number(notNumber)
    .int(notWhole)
    .min(least, { error: `Must be at least ${least}.` })
    .max(most, { error: `Must be at most ${most}.` })

export const numberParameter = (most: number) =>
  z.coerce
    .number(notNumber)
    .int(notWhole)
    .min(1, { error: 'Must be at least 1.' })
    .max(most, { error: `Must be at most ${most}.` })

export const port = z.int(notPort).min(1, notPort).max(65_535, notPort)

export const portText = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,5}$/, notPort)
        .transform(Number),
    ],
    notPort,
  )
  .pipe(port)
