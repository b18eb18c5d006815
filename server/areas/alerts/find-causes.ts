import type { Context } from '../../context.ts'
import { forMany } from '../../platform/for-many.ts'
import { findCause } from './causes/find-cause.ts'
import type { Step } from './step.ts'

/** For all of a pass together, so that nobody waits longer to be told. */
const LIMIT = 3_000
const AT_ONCE = 20

/** Looks for what is behind all that begins to fire; what is not found in time is told without it. */
export async function findCauses(ctx: Context, steps: readonly Step[], ending: AbortSignal): Promise<void> {
  const signal = forMany(ending)
  const waiting = steps.filter((step) => step.change === 'firing')
  const began = performance.now()
  async function work() {
    for (let step = waiting.shift(); step; step = waiting.shift())
      if (!signal.aborted && performance.now() - began < LIMIT)
        step.cause = await findCause(ctx, step.about, signal)
  }
  await Promise.all(Array.from({ length: Math.min(AT_ONCE, waiting.length) }, work))
}
