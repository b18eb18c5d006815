import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'
import { type GitHubApp, useDeleteGitHubApp, useStartGitHubApp } from './queries.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

export function GitHubAppSettings({ app }: { app: GitHubApp }) {
  const [asks, setAsks] = useState(false)
  const own = app.from === 'manifest' && app.can_set_up
  return (
    <Card
      title="GitHub App"
      description={app.problem ?? whence(app)}
      action={own && <Button onClick={() => setAsks(true)}>Remove</Button>}
    >
      {app.warning !== null && (
        <p className="mb-3 rounded-md bg-yellow-soft px-3 py-2 text-sm">{app.warning}</p>
      )}
      {app.url !== null && <ExternalTextLink href={app.url}>{app.name ?? 'View on GitHub'}</ExternalTextLink>}
      {asks && <RemoveGitHubAppDialog onClose={() => setAsks(false)} />}
    </Card>
  )
}

const whence = ({ from }: GitHubApp) =>
  from === 'environment'
    ? 'Configured with environment variables.'
    : 'Created in the console. Credentials are stored encrypted.'

const RemoveGitHubAppDialog = ({ onClose }: { onClose: () => void }) => (
  <ActionDialog
    title="Remove the GitHub App?"
    action="Remove"
    mutation={useDeleteGitHubApp()}
    input={undefined}
    pending="Removing…"
    done="GitHub App removed"
    onClose={onClose}
  >
    Builds from GitHub, push to deploy and GitHub login stop working in all workspaces until you set up a
    GitHub App again. Applications keep running. To delete the app itself, go to GitHub.
  </ActionDialog>
)

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
          'Create a GitHub App for this instance in one click. The app is public, so members can install it on their own accounts and use it to log in.'}
      </p>
      {warning !== null && <p className="rounded-md bg-yellow-soft px-3 py-2 text-sm">{warning}</p>}
      {ofOrganisation && (
        <Field
          label="Organization"
          help="GitHub organization that will own the app."
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

/** Focuses the field that appears in place of the pressed button. */
const focus = (field: HTMLInputElement | null) => field?.focus()
