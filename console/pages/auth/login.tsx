import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Navigate, useLocation } from 'react-router'
import { CodeField } from '../../areas/auth/code-field.tsx'
import { GitHubButton } from '../../areas/auth/github-button.tsx'
import { type NewAccount, useNewAccount } from '../../areas/auth/new-account.tsx'
import { authOptionsQuery, isFresh, needsCode, useLogIn } from '../../areas/auth/queries.ts'
import { logError } from '../../lib/log.ts'
import { useToken } from '../../lib/http/session.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicFrame, PublicLayout } from '../../ui/brand/public-layout.tsx'
import { useStartSession } from '../use-start-session.ts'

export function LoginPage() {
  const { data: options, isPending } = useQuery(authOptionsQuery)
  const email = readEmail(useLocation().state)
  const { account: created, setAccount } = useNewAccount()
  const [account] = useState(created)
  // Forget the password when the user leaves the page.
  useEffect(() => () => setAccount(undefined), [setAccount])
  if (isPending) return <PublicFrame />
  if (isFresh(options) && !account) return <Navigate to={paths.signup} replace />
  return <LoginForm email={email} account={account} />
}

function LoginForm({ email, account }: { email: string | undefined; account: NewAccount | undefined }) {
  const logIn = useLogIn()
  const enter = useStartSession()
  const [asksCode, setAsksCode] = useState(false)
  const { form, errors, pending } = useForm(
    { email: 'required', password: 'required', otp: asksCode ? 'required' : 'optional' },
    async ({ otp, ...credentials }) => {
      try {
        const { access_token: token } = await logIn.mutateAsync({ ...credentials, ...(otp ? { otp } : {}) })
        if (token) await enter(token)
        else logError('The login response has no token.')
      } catch (error) {
        setAsksCode((before) => before || needsCode(error))
        throw error
      }
    },
  )
  return (
    <PublicLayout
      title="Log in"
      description={<Description account={account} pending={pending} />}
      footer={<NewHere />}
    >
      <GitHubButton>Log in with GitHub</GitHubButton>
      <form {...form} className="flex flex-col gap-4">
        <Field label="Email" error={errors['email']}>
          <Input name="email" type="email" autoComplete="username" defaultValue={account?.email ?? email} />
        </Field>
        <Field
          label="Password"
          error={errors['password']}
          aside={
            <span className="text-sm">
              <TextLink to={paths.forgotPassword}>Forgot your password?</TextLink>
            </span>
          }
        >
          <PasswordInput name="password" autoComplete="current-password" defaultValue={account?.password} />
        </Field>
        {asksCode && <CodeField error={errors['otp']} />}
        <Button
          type="submit"
          variant="primary"
          size="large"
          wide
          pending={pending && 'Logging in…'}
          ref={account && focus}
        >
          Log in
        </Button>
      </form>
    </PublicLayout>
  )
}

const focus = (button: HTMLButtonElement | null) => button?.focus()

function readEmail(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('email' in state)) return undefined
  return typeof state.email === 'string' ? state.email : undefined
}

function NewHere() {
  const { data: options } = useQuery(authOptionsQuery)
  if (options?.signup === 'invite' && !isFresh(options))
    return (
      <>
        Have an invite? <TextLink to={paths.join}>Join your workspace</TextLink>
      </>
    )
  return (
    <>
      New here? <TextLink to={paths.signup}>Sign up</TextLink>
    </>
  )
}

function Description({ account, pending }: { account: NewAccount | undefined; pending: boolean }) {
  const token = useToken()
  if (account?.unconfirmed) return 'Open the link in the email that we sent you, then log in.'
  if (account) return 'Your account is ready.'
  if (token === null || pending) return 'Deploy and operate applications on your own servers.'
  return (
    <>
      You are already logged in. <TextLink to={paths.home}>Go to the dashboard</TextLink>
    </>
  )
}
