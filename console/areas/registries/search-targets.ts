import { hasHost } from './image-name.ts'
import type { Registry } from './queries.ts'

const dockerHub = 'docker.io'

export function registryPrefix({
  host,
  scope,
  username,
}: Pick<Registry, 'host' | 'scope' | 'username'>): string {
  // Docker Hub has no nested names: the account is the whole prefix.
  if (host === dockerHub) return `${(scope || username).toLowerCase().split('/')[0]}/`
  return `${host}/${scope === '' ? '' : `${scope}/`}`
}

interface SearchTarget {
  registry?: Registry
  q: string
}

/** Only characters of image names can have results. */
const searchable = /^(?:[\w.-]{2,100}|[a-z0-9][a-z0-9._/-]{1,200})$/

/** Searches the registry whose prefix was typed, otherwise all of them. */
export function searchTargets(typed: string, registries: readonly Registry[]): SearchTarget[] {
  if (/[@\s]/.test(typed) || /:[^/]*$/.test(typed.replace(/^[^/]*:\d+\//, ''))) return []
  const own = registries.filter((registry) => typed.startsWith(registryPrefix(registry)))
  if (own.length > 0) return own.map((registry) => ({ registry, q: withoutHost(typed, registry) }))
  if (hasHost(typed) || !searchable.test(typed)) return []
  return [{ q: typed }, ...registries.map((registry) => ({ registry, q: typed }))]
}

/** Registries list images without their host; Docker Hub lists those of an account without the account name. */
const withoutHost = (typed: string, registry: Registry) =>
  typed.slice(registry.host === dockerHub ? registryPrefix(registry).length : registry.host.length + 1)
