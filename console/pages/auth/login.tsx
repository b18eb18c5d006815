import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'react-router'
import { CodeField } from '../../areas/auth/code-field.tsx'
import { GitHubButton } from '../../areas/auth/github-button.tsx'
import { needsCode, authOptionsQuery, useLogIn } from '../../areas/auth/queries.ts'
import { logError } from '../../lib/log.ts'
import { useToken } from '../../lib/http/session.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicLayout } from './public-layout.tsx'
import { useStartSession } from '../use-start-session.ts'

export function LoginPage() {
  const logIn = useLogIn()
  const enter = useStartSession()
  const email = emailIn(useLocation().state)
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
    <PublicLayout title="Log in" description={<AlreadyIn pending={pending} />} footer={<NewHere />}>
      <GitHubButton>Log in with GitHub</GitHubButton>
      <form {...form} className="flex flex-col gap-4">
        <Field label="Email" error={errors['email']}>
          <Input name="email" type="email" autoComplete="username" defaultValue={email} />
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
          <PasswordInput name="password" autoComplete="current-password" />
        </Field>
        {asksCode && <CodeField error={errors['otp']} />}
        <Button type="submit" variant="primary" wide pending={pending && 'Logging in…'}>
          Log in
        </Button>
      </form>
    </PublicLayout>
  )
}

function emailIn(state: unknown): string | undefined {
  if (typeof state !== 'object' || state === null || !('email' in state)) return undefined
  return typeof state.email === 'string' ? state.email : undefined
}

function NewHere() {
  const { data: options } = useQuery(authOptionsQuery)
  // Signup is available until the first account exists.
  if (options?.signup === 'invite' && options.setup !== 'open' && options.setup !== 'link')
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

function AlreadyIn({ pending }: { pending: boolean }) {
  const token = useToken()
  if (token === null || pending) return null
  return (
    <>
      You are already logged in. <TextLink to={paths.home}>Go to the dashboard</TextLink>
    </>
  )
}
