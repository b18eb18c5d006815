/** Under such names the images of releases stay on a server, so that one can go back to them. */
export const keptUnder = 'slipway.local/'

export const isKept = (tags: string[]) => tags.some((tag) => tag.startsWith(keptUnder))
