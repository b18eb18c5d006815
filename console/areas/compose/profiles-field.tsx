import { Field } from '../../ui/field.tsx'
import { TagsInput } from '../../ui/tags-input.tsx'

interface ProfilesFieldProps {
  profiles: readonly string[]
  onChange: (profiles: string[]) => void
  error?: string | undefined
}

/** Which of the services that name a profile are made too. */
export const ProfilesField = ({ profiles, onChange, error }: ProfilesFieldProps) => (
  <div className="max-w-2xl">
    <Field
      label="Profiles"
      optional
      help="Services that name a profile are left out unless it stands here. Enter or a comma ends one."
      error={error}
    >
      <TagsInput name="source.profiles" value={profiles} onChange={onChange} placeholder="debug" />
    </Field>
  </div>
)

/** As a draft keeps them. */
export const readProfiles = (text: string) => text.split(',').filter((name) => name !== '')
