import { imageNamePattern } from '../../../contract/shared/image-name.ts'
import { runsOn } from '../../../contract/shared/processors.ts'

/** What is typed as the name of an image, taken apart. */
export function parseImageName(text: string): { repository: string; reference: string } {
  const [named = '', digest = ''] = text.trim().split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  return {
    repository: colon < 0 ? named : named.slice(0, colon),
    reference: digest || (colon < 0 ? '' : named.slice(colon + 1)),
  }
}

/** Whether it may be all of a name, of which the tags can be asked for. */
export const isRepository = (text: string) => {
  const { repository, reference } = parseImageName(text)
  return reference === '' && imageNamePattern.test(repository)
}

/** What stands first is a registry only if it looks like a host. */
export const hasHost = (text: string) => /^(?:[^/]*[.:][^/]*|localhost)\//.test(text)

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 })
export const formatCount = (count: number) => short.format(count)

/** Whether one of the platforms is that of the server; where one side is not known, nothing speaks against it. */
export function supportsArchitecture(platforms: readonly string[], architecture: string | null): boolean {
  if (!architecture || platforms.length === 0) return true
  return platforms.some((platform) => {
    const [os, processor = ''] = platform.split('/')
    return os === 'linux' && runsOn(processor, architecture)
  })
}
