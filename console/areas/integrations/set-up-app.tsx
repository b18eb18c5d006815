import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { type GitHubApp, useBeginApp } from './queries.ts'

/** For whoever runs this Slipway: GitHub makes an App of its own for it, in one click. */
export function SetUpApp({ problem, warning }: Pick<GitHubApp, 'problem' | 'warning'>) {
  const begin = useBeginApp()
  const [ofOrganisation, setOfOrganisation] = useState(false)
  const { form, errors, pending } = useForm({ organization: 'optional' }, async ({ organization }) => {
    await begin.mutateAsync(organization)
  })
  return (
    <form {...form} className="flex flex-col gap-3">
      <p className="text-sm">
        {problem ??
          'Slipway talks to GitHub as a GitHub App of your own. GitHub makes it in one click, and gives its keys to this Slipway alone. It is public, so that others can install it on their accounts and log in with it; whoever connects an account has to prove that it is theirs.'}
      </p>
      {warning !== null && <p className="rounded-md bg-yellow-soft px-3 py-2 text-sm">{warning}</p>}
      {ofOrganisation && (
        <Field
          label="Organisation"
          help="Whose App it will be, as it is called in the address of GitHub."
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
        <Button type="submit" variant="primary" pending={pending && 'Leaving for GitHub…'}>
          Set up the GitHub App
        </Button>
        {!ofOrganisation && (
          <Button variant="ghost" onClick={() => setOfOrganisation(true)}>
            For an organisation
          </Button>
        )}
      </div>
    </form>
  )
}

/** The button that asked for the field is gone. */
const focus = (field: HTMLInputElement | null) => field?.focus()
