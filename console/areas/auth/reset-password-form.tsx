import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { ApiError } from '../../lib/http/api-error.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { ContactOperatorNotice } from './contact-operator-notice.tsx'
import { authOptionsQuery, useResetPassword } from './queries.ts'

export function ResetPasswordForm({ token }: { token: string }) {
  const reset = useResetPassword()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm({ password: 'required' }, async ({ password }) => {
    await reset.mutateAsync({ token, password })
    toast.success('Password changed. Please log in.')
    await navigate(paths.login, { replace: true })
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field
        label="New password"
        help="At least 10 characters. All your sessions end."
        error={errors['password']}
      >
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" wide pending={pending && 'Saving…'}>
        Save password
      </Button>
      {isSpent(reset.error) && <AnotherLink />}
    </form>
  )
}

const isSpent = (error: unknown) => error instanceof ApiError && error.code === 'link_invalid'

function AnotherLink() {
  const { data: options } = useQuery(authOptionsQuery)
  if (!options) return null
  if (!options.mail) return <ContactOperatorNotice />
  return (
    <p>
      This link has been used or has expired.{' '}
      <TextLink to={paths.forgotPassword}>Request a new link</TextLink>
    </p>
  )
}
