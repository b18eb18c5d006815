import { useId } from 'react'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import type { ComposeService } from './compose-check.ts'

interface ProfilesFieldProps {
  profiles: readonly string[]
  services: readonly ComposeService[]
  onChange: (profiles: string[]) => void
  error?: string | undefined
}

/** The field is hidden for files without profiles. */
export function ProfilesField({ profiles, services, onChange, error }: ProfilesFieldProps) {
  const id = useId()
  const offered = profileOptions(services, profiles)
  if (offered.length === 0 && error === undefined) return null
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...profiles, name] : profiles.filter((profile) => profile !== name))
  return (
    <fieldset aria-describedby={error && `${id}-error`} className="flex max-w-2xl flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">
        Profiles<span className="font-normal text-muted"> (optional)</span>
      </legend>
      <p className="text-sm text-muted">
        Services with profiles are deployed only if you select one of their profiles.
      </p>
      {offered.map(({ name, help }) => (
        <Checkbox
          key={name}
          label={<span className="font-mono text-sm">{name}</span>}
          help={help}
          checked={profiles.includes(name)}
          onChange={({ target }) => toggle(name, target.checked)}
        />
      ))}
      {error && (
        <p id={`${id}-error`} className="text-sm text-red-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}

/** Drafts store profiles as comma-separated text. */
export const readProfiles = (text: string) => text.split(',').filter((name) => name !== '')

interface Offered {
  name: string
  help: string
}

/** Includes selected profiles that the file no longer declares, so that the user can deselect them. */
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

/** Selects the services that would be deployed. The rule must match that of the server. */
export const selectedServices = (
  services: readonly ComposeService[],
  chosen: readonly string[],
): readonly ComposeService[] =>
  services.filter(
    ({ profiles }) =>
      profiles.length === 0 || chosen.includes('*') || profiles.some((profile) => chosen.includes(profile)),
  )
