import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'

interface ReadyWithinProps {
  help: string
  typed: Readonly<Record<'health.within_seconds', string>>
  errors: Readonly<Record<string, string>>
}

export const StartupTimeoutField = ({ help, typed, errors }: ReadyWithinProps) => (
  <Field label="Startup timeout (seconds)" help={help} error={errors['health.within_seconds']}>
    <Input
      name="health.within_seconds"
      defaultValue={typed['health.within_seconds']}
      inputMode="numeric"
      autoComplete="off"
    />
  </Field>
)
