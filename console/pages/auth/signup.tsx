import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearchParams } from 'react-router'
import { toast } from 'sonner'
import { GitHubButton } from '../../areas/auth/github-button.tsx'
import { authOptionsQuery, useSignUp } from '../../areas/auth/queries.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { PublicLayout } from './public-layout.tsx'

export function SignupPage() {
  const { data: options } = useQuery(authOptionsQuery)
  const setup = useSearchParams()[0].get('setup')
  const isFirst = options?.setup === 'open' || options?.setup === 'link'
  const footer = (
    <>
      Have an account? <TextLink to={paths.login}>Log in</TextLink>
    </>
  )
  if (options?.setup === 'link' && !setup) return <SetupLinkNeeded />
  if (options?.signup === 'invite' && !isFirst)
    return (
      <PublicLayout
        title="Sign up"
        description="Signup requires an invite. Ask a workspace admin for one."
        footer={footer}
      >
        <p>
          Have an invite already? <TextLink to={paths.join}>Join your workspace</TextLink>
        </p>
      </PublicLayout>
    )
  return (
    <PublicLayout
      title="Sign up"
      description={
        isFirst
          ? 'Create the first account, which becomes the instance owner.'
          : 'Deploy and operate applications on your own servers.'
      }
      footer={footer}
    >
      <GitHubButton setup={setup}>Sign up with GitHub</GitHubButton>
      <SignupForm setup={setup} />
    </PublicLayout>
  )
}

/** Shown before the first account exists if the instance is reachable from other machines. */
const SetupLinkNeeded = () => (
  <PublicLayout
    title="Sign up"
    description="Use the one-time setup link that Slipway prints at startup to create the first account."
  >
    <div className="flex flex-col gap-3 text-sm">
      <p>Find the link in the output of Slipway. With Docker Compose, run:</p>
      <CodeBlock label="Copy the command">docker compose logs slipway</CodeBlock>
      <p>Or create a new link on the machine that Slipway runs on. The previous link stops working.</p>
      <CodeBlock label="Copy the second command">npm run admin -- setup-link</CodeBlock>
    </div>
  </PublicLayout>
)

function SignupForm({ setup }: { setup: string | null }) {
  const signUp = useSignUp()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm(
    { organisation: 'required', email: 'required', password: 'required' },
    async (values) => {
      await signUp.mutateAsync(setup ? { ...values, setup } : values)
      toast.success('Signup successful! Please log in.')
      await navigate(paths.login, { state: { email: values.email } })
    },
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
      <Button type="submit" variant="primary" wide pending={pending && 'Signing up…'}>
        Sign up
      </Button>
    </form>
  )
}
