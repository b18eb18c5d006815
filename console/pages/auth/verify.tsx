import { useEffect, useRef } from 'react'
import { useSearchParams } from 'react-router'
import { ConfirmWithPasswordForm } from '../../areas/auth/confirm-with-password-form.tsx'
import { needsPassword, useVerifyEmail } from '../../areas/auth/queries.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { PublicLayout } from './public-layout.tsx'

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
        <ButtonLink to={paths.login} variant="primary" wide>
          Go to log in
        </ButtonLink>
      )}
    </PublicLayout>
  )
}

const pending = { title: 'Verifying your email', text: 'One moment.' }

const texts = {
  idle: pending,
  pending,
  password: {
    title: 'Choose a password',
    text: 'You opened the link in a different browser than you signed up with. Choose a password to confirm your email. It replaces any previous password.',
  },
  success: { title: 'Your email is verified', text: 'You can log in now.' },
  error: {
    title: 'Your email could not be verified',
    text: 'The link may have expired or been used. Log in to get a new link if needed.',
  },
  missing: {
    title: 'This link is incomplete',
    text: 'Open the link in the email again or copy the complete link.',
  },
}
