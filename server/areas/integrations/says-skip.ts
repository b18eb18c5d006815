const skips = /\[skip[ -]deploy\]/i

/** Returns whether a commit message opts out of deployment. */
export const saysSkip = (message: string) => skips.test(message)
