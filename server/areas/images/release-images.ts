/** Under such names the images of releases stay on a server, so that one can go back to them. */
export const releaseTagPrefix = 'slipway.local/'

export const isReleaseImage = (tags: string[]) => tags.some((tag) => tag.startsWith(releaseTagPrefix))
