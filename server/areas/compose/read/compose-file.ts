import { isProfileSelected } from '../profiles.ts'
import { isMap, toList, toMap, toText } from './untyped.ts'

export interface ComposeFile {
  isFile: boolean
  top: Record<string, unknown>
  services: Record<string, Record<string, unknown>>
  isActive: (name: string) => boolean
}

export function toComposeFile(value: unknown, profiles: readonly string[]): ComposeFile {
  const top = toMap(value)
  const services = Object.fromEntries(
    Object.entries(toMap(top['services'])).flatMap(([name, service]) =>
      isMap(service) ? [[name, service]] : [],
    ),
  )
  const isActive = (name: string) => isProfileSelected(listProfiles(services, name), profiles)
  return { isFile: isMap(value), top, services, isActive }
}

/** A service also has the profiles of the services that it extends. */
export const listProfiles = (services: ComposeFile['services'], name: string): string[] =>
  extensionChain(services, name).flatMap(({ profiles }) =>
    toList(profiles).flatMap((profile) => toText(profile) ?? []),
  )

export const inheritedValue = ({ services }: ComposeFile, name: string, key: string): unknown =>
  extensionChain(services, name).find((service) => (service[key] ?? null) !== null)?.[key]

/** Inherits whole keys only. Docker Compose would also merge the entries within a key. */
export const withInherited = ({ services }: ComposeFile, name: string): Record<string, unknown> =>
  Object.fromEntries(
    extensionChain(services, name)
      .toReversed()
      .flatMap((service) => Object.entries(service).filter(([, value]) => value !== null)),
  )

/** Returns the service, then the service that it extends, and so on. */
function extensionChain(services: ComposeFile['services'], name: string): Record<string, unknown>[] {
  const chain = new Map<string, Record<string, unknown>>()
  for (let current: string | undefined = name; current !== undefined && !chain.has(current);) {
    const service: Record<string, unknown> | undefined = Object.hasOwn(services, current)
      ? services[current]
      : undefined
    if (!service) break
    chain.set(current, service)
    current = extendedService(service)
  }
  return [...chain.values()]
}

export function extendedService({ extends: target }: Record<string, unknown>): string | undefined {
  const name = typeof target === 'string' ? target : toMap(target)['service']
  return typeof name === 'string' ? name : undefined
}

export const sharedResourceNames = (file: { volumes?: unknown; networks?: unknown }): string[] =>
  (['volumes', 'networks'] as const).flatMap((section) =>
    Object.entries(toMap(file[section])).flatMap(([key, definition]) => {
      const { name, external = false } = toMap(definition)
      const isShared = name !== undefined || (external !== false && external !== 'false')
      const called = toText(name) ?? toText(toMap(external)['name']) ?? key
      return isShared ? [`${section.slice(0, -1)} ${called}`] : []
    }),
  )
