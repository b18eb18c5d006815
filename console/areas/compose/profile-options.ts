import type { ComposeService } from './check-query.ts'

interface Offered {
  name: string
  help: string
}

/** Includes selected profiles that the file no longer declares. */
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

/** Must match the server's rule. */
export const selectedServices = (
  services: readonly ComposeService[],
  chosen: readonly string[],
): readonly ComposeService[] =>
  services.filter(
    ({ profiles }) =>
      profiles.length === 0 || chosen.includes('*') || profiles.some((one) => chosen.includes(one)),
  )
