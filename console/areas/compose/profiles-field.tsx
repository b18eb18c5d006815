import { useId } from 'react'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import type { ComposeService } from './check-query.ts'
import { profileOptions } from './profile-options.ts'

interface ProfilesFieldProps {
  /** Selected profiles. */
  profiles: readonly string[]
  /** Services of the file, as far as it is valid. */
  services: readonly ComposeService[]
  onChange: (profiles: string[]) => void
  error?: string | undefined
}

/** Hidden for files without profiles. */
export function ProfilesField({ profiles, services, onChange, error }: ProfilesFieldProps) {
  const id = useId()
  const offered = profileOptions(services, profiles)
  if (offered.length === 0 && error === undefined) return null
  const toggle = (name: string, on: boolean) =>
    onChange(on ? [...profiles, name] : profiles.filter((one) => one !== name))
  return (
    <fieldset aria-describedby={error && `${id}-error`} className="flex max-w-2xl flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">
        Profiles<span className="font-normal text-muted"> (optional)</span>
      </legend>
      <p className="text-sm text-muted">
        Services with profiles are deployed only if one of their profiles is selected.
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

/** Drafts store profiles as text. */
export const readProfiles = (text: string) => text.split(',').filter((name) => name !== '')
