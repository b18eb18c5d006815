import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { useVerifyEmail } from './queries.ts'

/** Confirms the email address if the link is opened in another browser than the one that signed up. */
export function ConfirmWithPasswordForm({ token }: { token: string }) {
  const verify = useVerifyEmail()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm({ password: 'required' }, async ({ password }) => {
    await verify.mutateAsync({ token, password })
    toast.success('Email confirmed. Please log in.')
    await navigate(paths.login, { replace: true })
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Password" help="At least 10 characters." error={errors['password']}>
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" wide pending={pending && 'Confirming…'}>
        Confirm email
      </Button>
    </form>
  )
}
