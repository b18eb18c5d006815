import { isMap, toList, toMap } from './untyped.ts'

/** A compose file as rules look at it; what is in it may still be wrong. */
export interface ComposeFile {
  /** Whether it is a mapping at all. */
  isFile: boolean
  top: Record<string, unknown>
  services: Record<string, Record<string, unknown>>
  /** Whether a service is deployed, by its profiles. */
  isActive: (name: string) => boolean
}

export function toComposeFile(value: unknown, profiles: readonly string[]): ComposeFile {
  const top = toMap(value)
  const services = Object.fromEntries(
    Object.entries(toMap(top['services'])).flatMap(([name, service]) =>
      isMap(service) ? [[name, service]] : [],
    ),
  )
  const isActive = (name: string) =>
    isProfileSelected(toList(services[name]?.['profiles']).map(String), profiles)
  return { isFile: isMap(value), top, services, isActive }
}

/** Whether one of these profiles is chosen; what has none is always deployed. */
export const isProfileSelected = (own: readonly string[], chosen: readonly string[]): boolean =>
  own.length === 0 || chosen.includes('*') || own.some((one) => chosen.includes(one))

/** What a service has, or the one that it extends. */
export function inheritedValue({ services }: ComposeFile, name: string, key: string): unknown {
  const seen = new Set<string>()
  for (let at: string | undefined = name; at !== undefined && !seen.has(at);) {
    seen.add(at)
    const service: Record<string, unknown> | undefined = Object.hasOwn(services, at)
      ? services[at]
      : undefined
    if (service?.[key] !== undefined) return service[key]
    at = service && extendedService(service)
  }
  return undefined
}

/** The service of the same file that it extends. */
export function extendedService({ extends: given }: Record<string, unknown>): string | undefined {
  const name = typeof given === 'string' ? given : toMap(given)['service']
  return typeof name === 'string' ? name : undefined
}
