import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { type GitHubApp, useStartGitHubApp } from './queries.ts'

/** Creates the GitHub App of the instance from a manifest. */
export function SetUpGitHubApp({ problem, warning }: Pick<GitHubApp, 'problem' | 'warning'>) {
  const begin = useStartGitHubApp()
  const [ofOrganisation, setOfOrganisation] = useState(false)
  const { form, errors, pending } = useForm({ organization: 'optional' }, async ({ organization }) => {
    await begin.mutateAsync(organization)
  })
  return (
    <form {...form} className="flex flex-col gap-3">
      <p className="text-sm">
        {problem ??
          'Create a GitHub App for this instance in one click. The App is public so that members can install it on their accounts and log in with it. Only owners of an account can connect it.'}
      </p>
      {warning !== null && <p className="rounded-md bg-yellow-soft px-3 py-2 text-sm">{warning}</p>}
      {ofOrganisation && (
        <Field
          label="Organization"
          help="Name of the GitHub organization that owns the App."
          error={errors['organization']}
        >
          <Input
            ref={focus}
            name="organization"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
          />
        </Field>
      )}
      <div className="flex flex-wrap gap-2">
        <Button type="submit" variant="primary" pending={pending && 'Redirecting to GitHub…'}>
          Create GitHub App
        </Button>
        {!ofOrganisation && (
          <Button variant="ghost" onClick={() => setOfOrganisation(true)}>
            Use an organization
          </Button>
        )}
      </div>
    </form>
  )
}

/** Focus moves to the field because its button is gone. */
const focus = (field: HTMLInputElement | null) => field?.focus()
