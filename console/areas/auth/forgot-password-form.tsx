import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useForgotPassword } from './queries.ts'

export function ForgotPasswordForm() {
  const forgot = useForgotPassword()
  const { form, errors, pending } = useForm({ email: 'required' }, ({ email }) => forgot.mutateAsync(email))
  if (forgot.isSuccess)
    return (
      <output className="block wrap-anywhere">
        If there is an account for {forgot.variables}, we have sent a reset link.
      </output>
    )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Email" help="We will email you a reset link." error={errors['email']}>
        <Input name="email" type="email" autoComplete="username" />
      </Field>
      <Button type="submit" variant="primary" wide pending={pending && 'Sending…'}>
        Send reset link
      </Button>
    </form>
  )
}
