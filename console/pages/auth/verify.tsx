import { useEffect, useRef } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { needsPassword, useVerifyEmail } from '../../areas/auth/queries.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { PublicLayout } from '../../ui/brand/public-layout.tsx'
import { toast } from 'sonner'
import { useForm } from '../../lib/form/use-form.ts'
import { Field } from '../../ui/form/field.tsx'
import { PasswordInput } from '../../ui/form/input.tsx'

export function VerifyPage() {
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const { mutate, status, error } = useVerifyEmail()
  const started = useRef(false)
  useEffect(() => {
    if (started.current || token === '') return
    started.current = true
    mutate({ token })
  }, [mutate, token])

  if (needsPassword(error))
    return (
      <PublicLayout title={texts.password.title} description={texts.password.text}>
        <ConfirmWithPasswordForm token={token} />
      </PublicLayout>
    )
  const says = token === '' ? texts.missing : texts[status]
  return (
    <PublicLayout title={says.title} description={says.text}>
      {says !== texts.pending && (
        <ButtonLink to={paths.login} variant="primary" size="large" wide>
          Go to login
        </ButtonLink>
      )}
    </PublicLayout>
  )
}

const pending = { title: 'Confirming your email…', text: 'This takes a few seconds.' }

const texts = {
  idle: pending,
  pending,
  password: {
    title: 'Choose a password',
    text: 'You opened the link in a different browser than the one you signed up with. Choose a password to confirm your email. The new password replaces any previous password.',
  },
  success: { title: 'Email confirmed', text: 'You can log in now.' },
  error: {
    title: 'Could not confirm your email',
    text: 'The link has expired or was already used. Log in to get a new one.',
  },
  missing: {
    title: 'Incomplete link',
    text: 'Open the link in the email again, or copy the whole link.',
  },
}

/** Form that confirms the email address if the link was opened in a different browser than the signup. */
function ConfirmWithPasswordForm({ token }: { token: string }) {
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
      <Button type="submit" variant="primary" size="large" wide pending={pending && 'Confirming…'}>
        Confirm email
      </Button>
    </form>
  )
}
