import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { CodeField } from '../../areas/auth/code-field.tsx'
import {
  authOptionsQuery,
  type Invite,
  inviteQuery,
  needsCode,
  useJoin,
  useLogInQuietly,
} from '../../areas/auth/queries.ts'
import { inviteToken } from '../../areas/workspaces/invite-token.ts'
import { ApiError, isNotFound } from '../../lib/http/api-error.ts'
import { notify } from '../../lib/notify.ts'
import { readToken } from '../../lib/http/session.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicFrame, PublicLayout } from '../../ui/brand/public-layout.tsx'
import { useStartSession } from '../use-start-session.ts'
import { userQuery } from '../../areas/user/queries.ts'
import { useAcceptInvite } from '../../areas/workspaces/queries.ts'

export function JoinPage() {
  const [params] = useSearchParams()
  const token = params.get('token') ?? ''
  const { data: invite, error, isLoading } = useQuery(inviteQuery(token))
  // Joining logs the user in, so keep the state on arrival.
  const [signedIn, setSignedIn] = useState(() => readToken() !== null)
  if (isLoading) return <PublicFrame />
  const Form = signedIn ? JoinSignedIn : JoinForm
  return (
    <PublicLayout
      title={invite ? <Invitation {...invite} /> : 'Join Workspace'}
      description={
        error
          ? 'Paste the token of another invite, or ask the person who invited you for a new one.'
          : !signedIn && 'If you do not have an account, one is created for you.'
      }
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
      {error && <Notice tone={isNotFound(error) ? 'yellow' : 'red'} title={error.message} />}
      <Form token={token} invite={invite} onOther={() => setSignedIn(false)} />
    </PublicLayout>
  )
}

const Invitation = ({ invited_by: inviter, workspace }: Invite) => (
  <>
    <bdi>{inviter}</bdi> invited you to <bdi>{workspace}</bdi>
  </>
)

interface JoinFormProps {
  token: string
  /** Invite of the link; undefined if the link has no token or the token is invalid. */
  invite: Invite | undefined
  onOther: () => void
}

function JoinForm({ token, invite }: JoinFormProps) {
  const { join, asksCode } = useJoining()
  const { form, errors, pending } = useForm(
    { token: 'required', email: 'required', password: 'required', otp: asksCode ? 'required' : 'optional' },
    join,
  )
  return (
    <form {...form} aria-label="Join Workspace" className="flex flex-col gap-4">
      <TokenField token={token} folded={invite !== undefined} error={errors['token']} />
      <Field label="Email" help={!invite && 'Address that received the invite.'} error={errors['email']}>
        <Input
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={invite?.email}
          readOnly={invite !== undefined}
        />
      </Field>
      <Field
        label="Password"
        help="Your password, or a new one of at least 10 characters."
        error={errors['password']}
      >
        <PasswordInput name="password" autoComplete="current-password" ref={invite && focus} />
      </Field>
      {asksCode && <CodeField error={errors['otp']} />}
      <Button type="submit" variant="primary" size="large" wide pending={pending && 'Joining…'}>
        Join workspace
      </Button>
    </form>
  )
}

const focus = (input: HTMLInputElement | null) => input?.focus()

interface TokenFieldProps {
  token: string
  /** Collapses the field, because a token from a link needs no editing. */
  folded: boolean
  error: string | undefined
}

function TokenField({ token, folded, error }: TokenFieldProps) {
  const field = (
    <Field label="Invite token" error={error}>
      <Input name="token" defaultValue={token} mono />
    </Field>
  )
  if (!folded) return field
  return (
    <details className="order-last text-sm">
      <summary className="cursor-pointer text-center text-muted hover:text-ink">
        Show the invite token
      </summary>
      <div className="pt-2">{field}</div>
    </details>
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

/**
 * Returns whether the address is not confirmed. Joining accepted the same password, so the error has no other cause.
 */
const isUnconfirmed = (error: unknown) => error instanceof ApiError && error.code === 'wrong_credentials'

function JoinSignedIn({ token, invite, onOther }: JoinFormProps) {
  const { data: user } = useQuery(userQuery)
  const accept = useAcceptInvite()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm({ token: 'required' }, async ({ token }) => {
    await accept.mutateAsync(inviteToken(token))
    await navigate(paths.home)
  })
  const isForOther = invite && user && invite.email !== user.email
  return (
    <form {...form} aria-label="Join Workspace" className="flex flex-col gap-4">
      <p className="min-h-5 text-center wrap-anywhere">
        {user && <>You are logged in as {user.email}.</>}
        {isForOther && <> The invite is for {invite.email}.</>}
      </p>
      <TokenField token={token} folded={invite !== undefined} error={errors['token']} />
      {!isForOther && (
        <Button type="submit" variant="primary" size="large" wide pending={pending && 'Joining…'}>
          Join workspace
        </Button>
      )}
      <Button variant={isForOther ? 'primary' : 'ghost'} size="large" wide onClick={onOther}>
        Use another account
      </Button>
    </form>
  )
}
