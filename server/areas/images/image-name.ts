/** The parts of a name by which Docker is told what to pull. */
export interface ImageName {
  repository: string
  /** A digest, or else a tag: without either Docker would take every tag that there is. */
  reference: string
}

/** Of a name that the contract has let through. With both, the digest says more than the tag. */
export function readImageName(name: string): ImageName {
  const [named = '', digest] = name.split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const repository = colon < 0 ? named : named.slice(0, colon)
  return { repository, reference: digest ?? (colon < 0 ? 'latest' : named.slice(colon + 1)) }
}

/** In one way, so that the same image has the same name. */
export function writeImageName({ repository, reference }: ImageName): string {
  return `${repository}${reference.includes(':') ? '@' : ':'}${reference}`
}

const part = /^(?!\.{1,2}$)[\w.:@-]+$/

/** Below Docker's `/images/`; undefined for what can name no image, with which it would be asked for something else. */
export function imagePath(name: string): string | undefined {
  const parts = name.split('/')
  return parts.every((one) => part.test(one))
    ? `/images/${parts.map(encodeURIComponent).join('/')}`
    : undefined
}
