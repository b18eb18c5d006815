import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { GitHubButton } from '../../areas/auth/github-button.tsx'
import { useNewAccount } from '../../areas/auth/new-account.tsx'
import { authOptionsQuery, isFresh, useSignUp } from '../../areas/auth/queries.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicFrame, PublicLayout } from '../../ui/brand/public-layout.tsx'

export function SignupPage() {
  const { data: options, isPending } = useQuery(authOptionsQuery)
  const setup = useSearchParams()[0].get('setup')
  if (isPending) return <PublicFrame />
  if (options?.setup === 'link' && !setup) return <SetupLinkNeeded />
  if (isFresh(options))
    return (
      <PublicLayout
        title="Create the first account"
        description="This account becomes the instance owner and manages users, email and this installation."
      >
        <GitHubButton setup={setup}>Sign up with GitHub</GitHubButton>
        <SignupForm setup={setup} />
      </PublicLayout>
    )
  if (options?.signup === 'invite')
    return (
      <PublicLayout
        title="Sign up"
        description="Signup requires an invite. Ask a workspace admin for one."
        footer={<HaveAccount />}
      >
        <ButtonLink to={paths.join} size="large" wide>
          Join with an invite
        </ButtonLink>
      </PublicLayout>
    )
  return (
    <PublicLayout
      title="Sign up"
      description="Deploy and operate applications on your own servers."
      footer={<HaveAccount />}
    >
      <GitHubButton setup={setup}>Sign up with GitHub</GitHubButton>
      <SignupForm setup={setup} />
    </PublicLayout>
  )
}

const HaveAccount = () => (
  <>
    Have an account? <TextLink to={paths.login}>Log in</TextLink>
  </>
)

/** Page before the first account exists, if the instance is reachable from other machines. */
const SetupLinkNeeded = () => (
  <PublicLayout
    title="Create the first account"
    description="Slipway is running. The first account needs the one-time setup link that it printed at startup."
  >
    <ol className="flex flex-col gap-5">
      <li className="flex flex-col gap-2">
        <p className="font-medium">Find the link in the output of Slipway</p>
        <CodeBlock label="Copy the command">docker compose logs slipway</CodeBlock>
      </li>
      <li className="flex flex-col gap-2">
        <p className="font-medium">Or create a new link on the machine that runs Slipway</p>
        <CodeBlock label="Copy the second command">npm run admin -- setup-link</CodeBlock>
        <p className="text-sm text-muted">The previous link stops working.</p>
      </li>
    </ol>
  </PublicLayout>
)

function SignupForm({ setup }: { setup: string | null }) {
  const { data: options } = useQuery(authOptionsQuery)
  const { setAccount } = useNewAccount()
  const navigate = useNavigate()
  const signUp = useSignUp(({ email, password }) => {
    // The setup link already confirms the address.
    setAccount({ email, password, unconfirmed: options?.mail === true && options.setup !== 'link' })
    toast.success('Signup successful! Please log in.')
    return navigate(paths.login)
  })
  const { form, errors, pending } = useForm(
    { organisation: 'required', email: 'required', password: 'required' },
    (values) => signUp.mutateAsync(setup ? { ...values, setup } : values),
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Organisation" help="Name of your first workspace." error={errors['organisation']}>
        <Input name="organisation" autoComplete="organization" />
      </Field>
      <Field label="Email" error={errors['email']}>
        <Input name="email" type="email" autoComplete="username" />
      </Field>
      <Field label="Password" help="At least 10 characters." error={errors['password']}>
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <Button type="submit" variant="primary" size="large" wide pending={pending && 'Signing up…'}>
        Sign up
      </Button>
    </form>
  )
}
