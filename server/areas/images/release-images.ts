/** Tags that keep images of releases on a server for rollbacks. */
export const releaseTagPrefix = 'slipway.local/'

export const isReleaseImage = (tags: string[]) => tags.some((tag) => tag.startsWith(releaseTagPrefix))
