import { inject } from 'vitest'

/** To be in the environment of whatever is started: what nobody came to end is found by it when the run is over. */
export const findable = () => ({ SLIPWAY_TESTS: inject('rig')?.prefix })
