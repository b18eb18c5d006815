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
  const isActive = (name: string) =>
    isProfileSelected(toList(services[name]?.['profiles']).map(String), profiles)
  return { isFile: isMap(value), top, services, isActive }
}

export const isProfileSelected = (own: readonly string[], chosen: readonly string[]): boolean =>
  own.length === 0 || chosen.includes('*') || own.some((profile) => chosen.includes(profile))

export function inheritedValue({ services }: ComposeFile, name: string, key: string): unknown {
  const seen = new Set<string>()
  for (let current: string | undefined = name; current !== undefined && !seen.has(current);) {
    seen.add(current)
    const service: Record<string, unknown> | undefined = Object.hasOwn(services, current)
      ? services[current]
      : undefined
    if (service?.[key] !== undefined) return service[key]
    current = service && extendedService(service)
  }
  return undefined
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
