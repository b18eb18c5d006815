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
  own.length === 0 || chosen.includes('*') || own.some((one) => chosen.includes(one))

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

export function extendedService({ extends: given }: Record<string, unknown>): string | undefined {
  const name = typeof given === 'string' ? given : toMap(given)['service']
  return typeof name === 'string' ? name : undefined
}

export const sharedResourceNames = (file: { volumes?: unknown; networks?: unknown }): string[] =>
  (['volumes', 'networks'] as const).flatMap((section) =>
    Object.entries(toMap(file[section])).flatMap(([key, given]) => {
      const { name, external = false } = toMap(given)
      const isShared = name !== undefined || (external !== false && external !== 'false')
      const called = toText(name) ?? toText(toMap(external)['name']) ?? key
      return isShared ? [`${section.slice(0, -1)} ${called}`] : []
    }),
  )
