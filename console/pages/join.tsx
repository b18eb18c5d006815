import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { CodeField } from '../areas/auth/code-field.tsx'
import { needsCode, useJoin, useLogIn } from '../areas/auth/queries.ts'
import { inviteToken } from '../areas/workspaces/invite-token.ts'
import { useToken } from '../lib/session.ts'
import { useForm } from '../lib/use-form.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { JoinSignedIn } from './join-signed-in.tsx'
import { PublicLayout } from './public-layout.tsx'
import { useEnter } from './use-enter.ts'

export function JoinPage() {
  const [params] = useSearchParams()
  const invite = params.get('token') ?? ''
  // Only as it was on arrival: joining itself logs one in.
  const [signedIn, setSignedIn] = useState(useToken() !== null)
  return (
    <PublicLayout
      title="Join Workspace"
      description="You were invited to a workspace. An account is made if you have none."
      footer={
        <>
          Not here to join? <TextLink to={paths.login}>Log in</TextLink>
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
        <Input name="token" defaultValue={invite} autoComplete="off" spellCheck={false} mono />
      </Field>
      <Field label="Email" help="The address that was invited." error={errors['email']}>
        <Input name="email" type="email" autoComplete="username" />
      </Field>
      <Field
        label="Password"
        help="Yours, if you have an account; otherwise a new one of at least 10 characters."
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
  const logIn = useLogIn()
  const enter = useEnter()
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
    } catch {
      // The log-in has said why, or a code serves once and joining used it up.
      toast.success('You joined the workspace. Please log in.')
      await navigate(paths.login)
    }
  }

  return { join: joinAndEnter, asksCode }
}
