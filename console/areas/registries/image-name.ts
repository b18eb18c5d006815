import { imageNamePattern, runsOn } from '../../../contract/shared/image-name.ts'

export function parseImageName(text: string): { repository: string; reference: string } {
  const [named = '', digest = ''] = text.trim().split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  return {
    repository: colon < 0 ? named : named.slice(0, colon),
    reference: digest || (colon < 0 ? '' : named.slice(colon + 1)),
  }
}

/** Returns whether the text is a repository name without tag, whose tags can be listed. */
export const isRepository = (text: string) => {
  const { repository, reference } = parseImageName(text)
  return reference === '' && imageNamePattern.test(repository)
}

/** Returns whether the name contains a registry. The first segment is a registry only if it looks like a host. */
export const hasHost = (text: string) => /^(?:[^/]*[.:][^/]*|localhost)\//.test(text)

/** Returns the host of the registry that stores an image. */
export const registryHost = (image: string) =>
  hasHost(image) ? image.slice(0, image.indexOf('/')).toLowerCase() : 'docker.io'

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
export const formatCount = (count: number) => short.format(count)

/** Returns whether the image runs on the server. The result is true if either architecture is unknown. */
export function supportsArchitecture(platforms: readonly string[], architecture: string | null): boolean {
  if (!architecture || platforms.length === 0) return true
  return platforms.some((platform) => {
    const [os, processor = ''] = platform.split('/')
    return os === 'linux' && runsOn(processor, architecture)
  })
}
