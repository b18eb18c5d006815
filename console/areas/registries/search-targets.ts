import { hasHost } from './image-name.ts'
import type { Registry } from './queries.ts'

const dockerHub = 'docker.io'

/** How the names of its images begin. */
export function registryPrefix({
  host,
  scope,
  username,
}: Pick<Registry, 'host' | 'scope' | 'username'>): string {
  // There, whose they are is all that stands before the last slash.
  if (host === dockerHub) return `${(scope || username).toLowerCase().split('/')[0]}/`
  return `${host}/${scope === '' ? '' : `${scope}/`}`
}

interface SearchTarget {
  /** Docker Hub for everybody where there is none. */
  registry?: Registry
  q: string
}

/** A word, or what a name may begin with; all else would find nothing. */
const searchable = /^(?:[\w.-]{2,100}|[a-z0-9][a-z0-9._/-]{1,200})$/

/** Where what is typed is looked for: in the registry that it begins like, or everywhere. */
export function searchTargets(typed: string, registries: readonly Registry[]): SearchTarget[] {
  if (/[@\s]/.test(typed) || /:[^/]*$/.test(typed.replace(/^[^/]*:\d+\//, ''))) return []
  const own = registries.filter((registry) => typed.startsWith(registryPrefix(registry)))
  if (own.length > 0) return own.map((registry) => ({ registry, q: withoutHost(typed, registry) }))
  if (hasHost(typed) || !searchable.test(typed)) return []
  return [{ q: typed }, ...registries.map((registry) => ({ registry, q: typed }))]
}

/** A registry knows its images without its own name; Docker Hub, those of an account without the account's. */
const withoutHost = (typed: string, registry: Registry) =>
  typed.slice(registry.host === dockerHub ? registryPrefix(registry).length : registry.host.length + 1)
