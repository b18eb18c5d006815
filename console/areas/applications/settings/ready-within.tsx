import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'

interface ReadyWithinProps {
  help: string
  /** To begin with. */
  typed: Readonly<Record<'health.within_seconds', string>>
  errors: Readonly<Record<string, string>>
}

/** How long a deployment waits for what is new. */
export const ReadyWithin = ({ help, typed, errors }: ReadyWithinProps) => (
  <Field label="Ready within (seconds)" help={help} error={errors['health.within_seconds']}>
    <Input
      name="health.within_seconds"
      defaultValue={typed['health.within_seconds']}
      inputMode="numeric"
      autoComplete="off"
    />
  </Field>
)
