import { useState } from 'react'
import { toast } from 'sonner'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { OutsideLink } from '../../ui/outside-link.tsx'
import { type GitHubApp, useForgetApp } from './queries.ts'

/** The App behind all accounts, for whoever runs this Slipway. */
export function AppCard({ app }: { app: GitHubApp }) {
  const [asks, setAsks] = useState(false)
  const own = app.from === 'manifest' && app.may_set_up
  return (
    <Card
      title="GitHub App"
      description={app.problem ?? whence(app)}
      action={own && <Button onClick={() => setAsks(true)}>Forget its keys</Button>}
    >
      {app.warning !== null && (
        <p className="mb-3 rounded-md bg-yellow-soft px-3 py-2 text-sm">{app.warning}</p>
      )}
      {app.url !== null && <OutsideLink href={app.url}>{app.name ?? 'Its page at GitHub'}</OutsideLink>}
      {asks && <ForgetDialog onClose={() => setAsks(false)} />}
    </Card>
  )
}

const whence = ({ from }: GitHubApp) =>
  from === 'environment'
    ? 'Its keys are in the environment of this Slipway.'
    : 'GitHub made it for this Slipway, which keeps its keys encrypted.'

function ForgetDialog({ onClose }: { onClose: () => void }) {
  const forget = useForgetApp()
  // The card goes with its keys, and this dialog with the card: nobody would be left to be called back.
  async function confirm() {
    try {
      await forget.mutateAsync()
    } catch {
      // Why not is told by the mutation.
      return
    }
    toast.success('The keys of the GitHub App were forgotten.')
    onClose()
  }
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title="Forget the keys of the GitHub App?"
      action="Forget its keys"
      pending={forget.isPending && 'Forgetting…'}
      onConfirm={() => void confirm()}
    >
      In all workspaces nothing is built from GitHub, pushes deploy no longer, and nobody logs in with GitHub
      until an App is set up again. What runs goes on. The App itself stays at GitHub until you delete it
      there.
    </ConfirmDialog>
  )
}
