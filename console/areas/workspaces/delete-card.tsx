import { useState } from 'react'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteWorkspace } from './leave.ts'
import { useWorkspace, type Workspace } from './queries.ts'

export function DeleteCard() {
  const workspace = useWorkspace()
  const { name } = workspace
  const [asked, setAsked] = useState(false)
  const navigate = useNavigate()
  const remove = useDeleteWorkspace(() => {
    toast.success(`${name} was deleted.`)
    void navigate(paths.home)
  })
  return (
    <>
      <Card
        title="Delete the workspace"
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
          Everything in it goes, for everybody in it, the audit log too. This cannot be undone.
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
        Everything in {name} is lost for everybody in it: projects, servers, applications, members, invites,
        API tokens and the audit log. {isPaidFor(workspace) && ends} This cannot be undone.
      </ConfirmDialog>
    </>
  )
}

const ends = 'Its subscription ends at once, and what was paid for the rest of the period is not paid back.'

const over: readonly string[] = ['canceled', 'incomplete_expired']

/** Whether there is a subscription that goes on, be it paid for or owed for. */
const isPaidFor = ({ billing, subscription }: Pick<Workspace, 'billing' | 'subscription'>) =>
  billing && subscription !== null && !over.includes(subscription.stripe_status)
