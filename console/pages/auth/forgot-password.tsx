import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { ContactOperatorNotice } from '../../areas/auth/contact-operator-notice.tsx'
import { ForgotPasswordForm } from '../../areas/auth/forgot-password-form.tsx'
import { authOptionsQuery } from '../../areas/auth/queries.ts'
import { ResetPasswordForm } from '../../areas/auth/reset-password-form.tsx'
import { paths } from '../../paths.ts'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicLayout } from './public-layout.tsx'

export function ForgotPasswordPage() {
  const [params] = useSearchParams()
  const token = params.get('token')
  return (
    <PublicLayout
      title={token ? 'Choose a new password' : 'Forgot your password?'}
      footer={
        <>
          Remembered it? <TextLink to={paths.login}>Log in</TextLink>
        </>
      }
    >
      {token ? <ResetPasswordForm token={token} /> : <Ways />}
    </PublicLayout>
  )
}

function Ways() {
  const { data: options } = useQuery(authOptionsQuery)
  if (!options) return <Skeleton className="h-24" />
  if (options.mail) return <ForgotPasswordForm />
  return <ContactOperatorNotice />
}
