import { useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteWorkspace } from './leave.ts'
import { useWorkspace, type Workspace } from './queries.ts'

export function DeleteWorkspaceCard() {
  const workspace = useWorkspace()
  const { name } = workspace
  const [asked, setAsked] = useState(false)
  const navigate = useNavigate()
  const remove = useDeleteWorkspace(() => {
    toast.success('Workspace deleted')
    void navigate(paths.home)
  })
  return (
    <>
      <Card
        title="Delete this workspace"
        footer={
          <>
            You will be asked to type its name.
            <Button variant="danger" onClick={() => setAsked(true)}>
              Delete workspace
            </Button>
          </>
        }
      >
        <p className="text-muted">
          Deletes everything in the workspace for all members, including the audit log. This cannot be undone.
        </p>
      </Card>
      <ConfirmDialog
        open={asked}
        onOpenChange={setAsked}
        title={`Delete ${name}?`}
        action="Delete workspace"
        typeName={name}
        pending={remove.isPending && 'Deleting…'}
        onConfirm={() => remove.mutate(name)}
      >
        Everything in {name} is deleted for all members: projects, servers, applications, members, invites,
        API tokens and the audit log. {isPaidFor(workspace) && ends} This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

const ends = 'The subscription ends immediately. The rest of the paid period is not refunded.'

const over: readonly string[] = ['canceled', 'incomplete_expired']

/** Returns whether a subscription is active or overdue. */
const isPaidFor = ({ billing, subscription }: Pick<Workspace, 'billing' | 'subscription'>) =>
  billing && subscription !== null && !over.includes(subscription.stripe_status)
