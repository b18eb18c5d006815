import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { CodeField } from '../../areas/auth/code-field.tsx'
import { needsCode, authOptionsQuery, useJoin, useLogInQuietly } from '../../areas/auth/queries.ts'
import { inviteToken } from '../../areas/workspaces/invite-token.ts'
import { ApiError } from '../../lib/http/api-error.ts'
import { notify } from '../../lib/notify.ts'
import { useToken } from '../../lib/http/session.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicLayout } from './public-layout.tsx'
import { useStartSession } from '../use-start-session.ts'
import { userQuery } from '../../areas/user/queries.ts'
import { useAcceptInvite } from '../../areas/workspaces/queries.ts'

export function JoinPage() {
  const [params] = useSearchParams()
  const invite = params.get('token') ?? ''
  // State on arrival: joining logs the user in.
  const [signedIn, setSignedIn] = useState(useToken() !== null)
  return (
    <PublicLayout
      title="Join Workspace"
      description="If you do not have an account, one is created for you."
      footer={
        <>
          Already a member?{' '}
          {signedIn ? (
            <TextLink to={paths.home}>Go to your dashboard</TextLink>
          ) : (
            <TextLink to={paths.login}>Log in</TextLink>
          )}
        </>
      }
    >
      {signedIn ? (
        <JoinSignedIn invite={invite} onOther={() => setSignedIn(false)} />
      ) : (
        <JoinForm invite={invite} />
      )}
    </PublicLayout>
  )
}

function JoinForm({ invite }: { invite: string }) {
  const { join, asksCode } = useJoining()
  const { form, errors, pending } = useForm(
    { token: 'required', email: 'required', password: 'required', otp: asksCode ? 'required' : 'optional' },
    join,
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Invite token" error={errors['token']}>
        <Input name="token" defaultValue={invite} mono />
      </Field>
      <Field label="Email" help="Address that received the invite." error={errors['email']}>
        <Input name="email" type="email" autoComplete="username" />
      </Field>
      <Field
        label="Password"
        help="Your password, or a new one of at least 10 characters."
        error={errors['password']}
      >
        <PasswordInput name="password" autoComplete="current-password" />
      </Field>
      {asksCode && <CodeField error={errors['otp']} />}
      <Button type="submit" variant="primary" wide pending={pending && 'Joining…'}>
        Join workspace
      </Button>
    </form>
  )
}

function useJoining() {
  const join = useJoin()
  const logIn = useLogInQuietly()
  const { data: options } = useQuery(authOptionsQuery)
  const enter = useStartSession()
  const navigate = useNavigate()
  const [asksCode, setAsksCode] = useState(false)

  async function joinAndEnter(values: { token: string; email: string; password: string; otp: string }) {
    const { token, otp, ...person } = values
    const credentials = { ...person, ...(otp ? { otp } : {}) }
    try {
      await join.mutateAsync({ ...credentials, token: inviteToken(token) })
    } catch (error) {
      setAsksCode((before) => before || needsCode(error))
      throw error
    }
    try {
      await enter((await logIn.mutateAsync(credentials)).access_token)
    } catch (error) {
      // A 401 is expected: joining used up the two-factor code, or the address is not confirmed yet.
      if (!(error instanceof ApiError && error.status === 401)) notify(error)
      const next = options?.mail && isUnconfirmed(error) ? confirmFirst : 'Please log in.'
      toast.success(`You joined the workspace. ${next}`)
      await navigate(paths.login, { state: { email: person.email } })
    }
  }

  return { join: joinAndEnter, asksCode }
}

const confirmFirst = 'Check your email to confirm your address, then log in.'

/** The password was accepted for joining, so this error means that the address is not confirmed. */
const isUnconfirmed = (error: unknown) => error instanceof ApiError && error.code === 'wrong_credentials'

function JoinSignedIn({ invite, onOther }: { invite: string; onOther: () => void }) {
  const { data: user } = useQuery(userQuery)
  const accept = useAcceptInvite()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm({ token: 'required' }, async ({ token }) => {
    await accept.mutateAsync(inviteToken(token))
    await navigate(paths.home)
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <p className="min-h-5 wrap-anywhere">{user && <>You are logged in as {user.email}.</>}</p>
      <Field label="Invite token" error={errors['token']}>
        <Input name="token" defaultValue={invite} mono />
      </Field>
      <Button type="submit" variant="primary" wide pending={pending && 'Joining…'}>
        Join workspace
      </Button>
      <Button variant="ghost" wide onClick={onOther}>
        Use another account
      </Button>
    </form>
  )
}
