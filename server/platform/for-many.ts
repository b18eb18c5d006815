import { setMaxListeners } from 'node:events'

/** A compose file names 200 services at most, and few things are asked of each at once. More than this is a leak. */
const MOST = 1_000

/** A signal for work on many things at once: all of them listen until they are through, which Node takes for a leak. */
export function forMany(signal: AbortSignal): AbortSignal {
  setMaxListeners(MOST, signal)
  return signal
}
