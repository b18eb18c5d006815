import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import type { Proof } from './two-factor.ts'

interface ProofFormProps {
  action: string
  /** Label of the button while pending: "Turning off…". */
  doing: string
  danger?: boolean
  onProof: (proof: Proof) => Promise<unknown>
}

/** Requires the password and a code before the account is made less secure. */
export function ProofForm({ action, doing, danger, onProof }: ProofFormProps) {
  const { form, errors, pending } = useForm({ password: 'required', code: 'required' }, onProof)
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Your password" error={errors['password']}>
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      <Field label="Authenticator code or recovery code" error={errors['code']}>
        <Input name="code" autoComplete="one-time-code" maxLength={32} mono />
      </Field>
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant={danger ? 'danger' : 'primary'} pending={pending && doing}>
          {action}
        </Button>
      </DialogActions>
    </form>
  )
}
