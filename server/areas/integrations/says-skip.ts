const skips = /\[skip[ -]deploy\]/i

/** Whether whoever wrote a commit wants it not to be deployed by itself. */
export const saysSkip = (message: string) => skips.test(message)
