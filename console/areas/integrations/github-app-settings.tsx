import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { ExternalTextLink } from '../../ui/external-text-link.tsx'
import { type GitHubApp, useDeleteGitHubApp } from './queries.ts'

/** The GitHub App of the instance, for instance owners. */
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
      {asks && <ForgetDialog onClose={() => setAsks(false)} />}
    </Card>
  )
}

const whence = ({ from }: GitHubApp) =>
  from === 'environment'
    ? 'Configured with environment variables.'
    : 'Created from the console. Credentials are stored encrypted.'

function ForgetDialog({ onClose }: { onClose: () => void }) {
  const forget = useDeleteGitHubApp()
  // Deleting the App unmounts this dialog with its card, so callbacks of `mutate` would not run.
  async function confirm() {
    try {
      await forget.mutateAsync()
    } catch {
      // The mutation shows errors.
      return
    }
    toast.success('GitHub App removed')
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Remove the GitHub App?"
      action="Remove"
      pending={forget.isPending && 'Removing…'}
      onConfirm={() => void confirm()}
    >
      Builds from GitHub, push to deploy and login with GitHub stop working in all workspaces until an App is
      set up again. Applications keep running. Delete the App at GitHub separately.
    </ConfirmDialog>
  )
}
