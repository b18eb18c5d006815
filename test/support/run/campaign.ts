import { test } from 'vitest'

export const isLong = Boolean(process.env['LONG'])

/** Repetitions in the short and the long form. */
export const times = (short: number, long: number) => (isLong ? long : short)

/** A rotating selection; all of them in the long form. */
export const someOf = <T>(all: readonly T[], many: number, turn: number): T[] =>
  isLong || all.length <= many
    ? [...all]
    : Array.from({ length: many }, (_, at) => all[(turn * many + at) % all.length] as T)

const leftOut: Pick<typeof test, 'each'> & ((...given: unknown[]) => void) = Object.assign(() => {}, {
  each: () => () => {},
})

/** Runs only in `npm run test:long`: rare variations and slow tests. */
export const longTest = isLong ? test : leftOut
