export interface ImageName {
  repository: string
  /** A digest or tag: without either, Docker pulls every tag. */
  reference: string
}

export function readImageName(name: string): ImageName {
  const [named = '', digest] = name.split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const repository = colon < 0 ? named : named.slice(0, colon)
  return { repository, reference: digest ?? (colon < 0 ? 'latest' : named.slice(colon + 1)) }
}

export function writeImageName({ repository, reference }: ImageName): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`
}

const part = /^(?!\.{1,2}$)[\w.:@-]+$/

export function imagePath(name: string): string | undefined {
  const parts = name.split('/')
  return parts.every((segment) => part.test(segment))
    ? `/images/${parts.map(encodeURIComponent).join('/')}`
    : undefined
}

/** Tags that keep images of releases on a server for rollbacks. */
export const releaseTagPrefix = 'slipway.local/'

export const isReleaseImage = (tags: string[]) => tags.some((tag) => tag.startsWith(releaseTagPrefix))
