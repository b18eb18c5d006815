import { inject } from 'vitest'

/** Marks processes by environment, so that the run can find leftovers. */
export const findable = () => ({ SLIPWAY_TESTS: inject('rig')?.prefix })
