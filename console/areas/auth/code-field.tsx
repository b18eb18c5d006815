import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

/** Asked for once the password is right and two-factor is on. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      label="Code from your app, or a recovery code"
      help="Two-factor is on for this account."
      error={error}
    >
      <Input
        name="otp"
        autoComplete="one-time-code"
        autoCapitalize="off"
        spellCheck={false}
        ref={focus}
        mono
      />
    </Field>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()
