import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

/** Shown when the password is correct and two-factor authentication is on. */
export function CodeField({ error }: { error: string | undefined }) {
  return (
    <Field
      label="Authenticator code or recovery code"
      help="Two-factor authentication is on for this account."
      error={error}
    >
      <Input name="otp" autoComplete="one-time-code" ref={focus} mono />
    </Field>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()
