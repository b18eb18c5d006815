export const dockerHub = 'docker.io'

/** Other names by which people, or Docker itself, call it. */
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
  const [named = ''] = name.split('@')
  const colon = named.indexOf(':', named.lastIndexOf('/') + 1)
  const repository = colon < 0 ? named : named.slice(0, colon)
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
