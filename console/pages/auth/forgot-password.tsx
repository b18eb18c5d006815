import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { authOptionsQuery, useForgotPassword, useResetPassword } from '../../areas/auth/queries.ts'
import { paths } from '../../paths.ts'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicFrame, PublicLayout } from '../../ui/brand/public-layout.tsx'
import { toast } from 'sonner'
import { ApiError } from '../../lib/http/api-error.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'

export function ForgotPasswordPage() {
  const [params] = useSearchParams()
  const token = params.get('token')
  const { isPending } = useQuery(authOptionsQuery)
  if (isPending && !token) return <PublicFrame />
  return (
    <PublicLayout
      title={token ? 'Choose a new password' : 'Forgot your password?'}
      footer={
        <>
          Know your password? <TextLink to={paths.login}>Log in</TextLink>
        </>
      }
    >
      {token ? <ResetPasswordForm token={token} /> : <Ways />}
    </PublicLayout>
  )
}

function Ways() {
  const query = useQuery(authOptionsQuery)
  const { data: options } = query
  if (!options) return <QueryFallback query={query} failed="Could not load login options" skeleton={null} />
  if (options.mail) return <ForgotPasswordForm />
  return <ContactOperatorNotice />
}

function ResetPasswordForm({ token }: { token: string }) {
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
        help="At least 10 characters. Ends all your sessions."
        error={errors['password']}
      >
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" size="large" wide pending={pending && 'Saving…'}>
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
      This link has expired or was already used.{' '}
      <TextLink to={paths.forgotPassword}>Request a new link</TextLink>
    </p>
  )
}

function ForgotPasswordForm() {
  const forgot = useForgotPassword()
  const { form, errors, pending } = useForm({ email: 'required' }, ({ email }) => forgot.mutateAsync(email))
  if (forgot.isSuccess)
    return (
      <output className="block wrap-anywhere">
        If an account exists for {forgot.variables}, we sent a reset link to it.
      </output>
    )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Email" help="We send a reset link to this address." error={errors['email']}>
        <Input name="email" type="email" autoComplete="username" />
      </Field>
      <Button type="submit" variant="primary" size="large" wide pending={pending && 'Sending…'}>
        Send reset link
      </Button>
    </form>
  )
}

/** Explains how to reset the password on an instance without email. */
function ContactOperatorNotice() {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Email is not configured. Ask the operator of this instance to create a reset link with this command:
      </p>
      <CodeBlock label="Copy the command">{'npm run admin -- reset-password <email>'}</CodeBlock>
    </div>
  )
}
