/** How often: a short form in every run, the long one in `npm run test:long`. */
export const times = (short: number, long: number) => (process.env['LONG'] ? long : short)
