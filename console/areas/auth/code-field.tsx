import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'

/** Field for the two-factor code. The server asks for the code only after a correct password. */
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
