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

/** Prefix of the tags that keep images of releases on a server for rollbacks. */
export const releaseTagPrefix = 'slipway.local/'

export const isReleaseImage = (tags: string[]) => tags.some((tag) => tag.startsWith(releaseTagPrefix))

export const dockerHub = 'docker.io'

/** Docker Hub has several names: people and Docker itself use these. */
export const hubNames = [
  dockerHub,
  'index.docker.io',
  'registry-1.docker.io',
  'registry.hub.docker.com',
  'hub.docker.com',
]

export interface ImageLocation {
  host: string
  path: string
}

/** Splits an image name into registry and repository. The first part is a registry only if it looks like a host. */
export function readImageLocation(name: string): ImageLocation {
  const { repository } = readImageName(name)
  const [first = '', ...rest] = repository.split('/')
  const isHost = rest.length > 0 && (/[.:]/.test(first) || first === 'localhost')
  if (isHost && !hubNames.includes(first.toLowerCase()))
    return { host: first.toLowerCase(), path: rest.join('/') }
  const path = isHost ? rest.join('/') : repository
  return { host: dockerHub, path: path.includes('/') ? path : `library/${path}` }
}

/** A name can look like a host and still have an invalid port or IP address. */
export const isValidRegistryHost = (host: string) => URL.canParse(`https://${host}/`)

export const registryTitle = (host: string) => (host === dockerHub ? 'Docker Hub' : `The registry ${host}`)
