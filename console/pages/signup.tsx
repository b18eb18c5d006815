import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { GitHubButton } from '../areas/auth/github-button.tsx'
import { optionsQuery, useSignUp } from '../areas/auth/queries.ts'
import { useForm } from '../lib/use-form.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { PasswordInput } from '../ui/password-input.tsx'
import { TextLink } from '../ui/text-link.tsx'
import { PublicLayout } from './public-layout.tsx'

export function SignupPage() {
  const { data: options } = useQuery(optionsQuery)
  const footer = (
    <>
      Have an account? <TextLink to={paths.login}>Log in</TextLink>
    </>
  )
  if (options?.signup === 'invite')
    return (
      <PublicLayout
        title="Sign up"
        description="This Slipway takes new people by invite only. Ask a member of your workspace for one."
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
      description="Deploy and operate applications on your own servers."
      footer={footer}
    >
      <GitHubButton>Sign up with GitHub</GitHubButton>
      <SignupForm />
    </PublicLayout>
  )
}

function SignupForm() {
  const signUp = useSignUp()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm(
    { organisation: 'required', email: 'required', password: 'required' },
    async (values) => {
      await signUp.mutateAsync(values)
      toast.success('Signup successful! Please log in.')
      await navigate(paths.login, { state: { email: values.email } })
    },
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Organisation" help="Names your first workspace." error={errors['organisation']}>
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
