/** How often: a short form in every run, the long one in `npm run test:long`. */
export const times = (short: number, long: number) => (process.env['LONG'] ? long : short)

/** A few of these, others at each turn; all of them in the long form. */
export const someOf = <T>(all: readonly T[], many: number, turn: number): T[] =>
  process.env['LONG'] || all.length <= many
    ? [...all]
    : Array.from({ length: many }, (_, at) => all[(turn * many + at) % all.length] as T)
