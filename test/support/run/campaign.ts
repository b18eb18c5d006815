import { test } from 'vitest'

/** Whether this is `npm run test:long`. */
export const isLong = Boolean(process.env['LONG'])

/** How often: a short form in every run, the long one in `npm run test:long`. */
export const times = (short: number, long: number) => (isLong ? long : short)

/** A few of these, others at each turn; all of them in the long form. */
export const someOf = <T>(all: readonly T[], many: number, turn: number): T[] =>
  isLong || all.length <= many
    ? [...all]
    : Array.from({ length: many }, (_, at) => all[(turn * many + at) % all.length] as T)

const leftOut: Pick<typeof test, 'each'> & ((...given: unknown[]) => void) = Object.assign(() => {}, {
  each: () => () => {},
})

/** A test of `npm run test:long` alone: a rare variation of something that another test covers, or one that takes long. */
export const longTest = isLong ? test : leftOut
