/** How often it is tried: each time half as late as the time before. */
const tries = 8

/**
 * Has a fault strike at any moment of a step that takes at least `length` milliseconds, and again for as long as the step
 * was over before: nothing is shown by a fault that came too late. `strike` tells whether it was in time.
 */
export async function untilHit(length: number, strike: (delay: number) => Promise<boolean>): Promise<void> {
  for (let nth = 0; nth < tries; nth++) if (await strike((Math.random() * length) / 2 ** nth)) return
  throw new Error(`The step was over ${tries} times before the fault struck.`)
}
