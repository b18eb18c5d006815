import type { ComposeService } from './check-query.ts'

interface Offered {
  name: string
  /** What choosing it does. */
  help: string
}

/** The profiles that a file names, and those that were chosen although it names them no longer. */
export function profileOptions(
  services: readonly Pick<ComposeService, 'name' | 'profiles'>[],
  chosen: readonly string[],
): Offered[] {
  const names = new Set([...services.flatMap(({ profiles }) => profiles), ...chosen])
  return [...names].toSorted().map((name) => {
    const own = services.flatMap((service) => (service.profiles.includes(name) ? [service.name] : []))
    return {
      name,
      help: own.length > 0 ? `Adds ${own.toSorted().join(', ')}.` : 'Not used by any service.',
    }
  })
}

/** Those that are deployed with these profiles, by the rule of the server. */
export const selectedServices = (
  services: readonly ComposeService[],
  chosen: readonly string[],
): readonly ComposeService[] =>
  services.filter(
    ({ profiles }) =>
      profiles.length === 0 || chosen.includes('*') || profiles.some((one) => chosen.includes(one)),
  )
