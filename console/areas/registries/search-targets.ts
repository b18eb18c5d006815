import { hasHost } from './image-name.ts'
import type { Registry } from './queries.ts'

const dockerHub = 'docker.io'

export function registryPrefix({
  host,
  scope,
  username,
}: Pick<Registry, 'host' | 'scope' | 'username'>): string {
  // Docker Hub has no nested names, so the account is the whole prefix.
  if (host === dockerHub) return `${(scope || username).toLowerCase().split('/')[0]}/`
  return `${host}/${scope === '' ? '' : `${scope}/`}`
}

interface SearchTarget {
  registry?: Registry
  q: string
}

/** Pattern of texts that can match an image name. */
const searchable = /^(?:[\w.-]{2,100}|[a-z0-9][a-z0-9._/-]{1,200})$/

/** Returns where to search: in the registry whose prefix was typed, otherwise in all of them. */
export function searchTargets(typed: string, registries: readonly Registry[]): SearchTarget[] {
  if (/[@\s]/.test(typed) || /:[^/]*$/.test(typed.replace(/^[^/]*:\d+\//, ''))) return []
  const own = registries.filter((registry) => typed.startsWith(registryPrefix(registry)))
  if (own.length > 0) return own.map((registry) => ({ registry, q: withoutHost(typed, registry) }))
  if (hasHost(typed) || !searchable.test(typed)) return []
  return [{ q: typed }, ...registries.map((registry) => ({ registry, q: typed }))]
}

/** Removes the part that registries omit from their lists: the host, and on Docker Hub the account. */
const withoutHost = (typed: string, registry: Registry) =>
  typed.slice(registry.host === dockerHub ? registryPrefix(registry).length : registry.host.length + 1)
