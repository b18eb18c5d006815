const skipMarker = /\[skip[ -]deploy\]/i

/** Returns whether a commit message opts out of deployment. */
export const hasSkipMarker = (message: string) => skipMarker.test(message)
