/** Attempts, each half as late as the one before. */
const tries = 8

/**
 * Triggers a fault during a step of at least `length` milliseconds, and again if it was too late. `strike` returns
 * whether it was in time.
 */
export async function untilHit(length: number, strike: (delay: number) => Promise<boolean>): Promise<void> {
  for (let nth = 0; nth < tries; nth++) if (await strike((Math.random() * length) / 2 ** nth)) return
  throw new Error(`The step was over ${tries} times before the fault struck.`)
}
