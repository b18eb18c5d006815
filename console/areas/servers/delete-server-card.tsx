import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { useDialog } from '../../lib/use-dialog.ts'
import { paths } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteServer } from './changes.ts'
import type { Server } from './queries.ts'

const dialogName = 'delete'

export function DeleteServerCard({ server: { id, name } }: { server: Server }) {
  const { dialog, open, close } = useDialog()
  const navigate = useNavigate()
  const remove = useDeleteServer(id, () => {
    toast.success(`${name} was deleted.`)
    void navigate(paths.servers, { replace: true })
  })
  return (
    <>
      <Card
        title="Delete the server"
        footer={
          <>
            You will be asked to type its name.
            <Button variant="danger" onClick={() => open(dialogName)}>
              Delete server
            </Button>
          </>
        }
      >
        <p className="text-muted">
          Slipway forgets it. Nothing is stopped or removed on the machine: what runs there goes on running.
        </p>
      </Card>
      <ConfirmDialog
        open={dialog === dialogName}
        onOpenChange={close}
        title={`Delete ${name}?`}
        action="Delete server"
        typeName={name}
        pending={remove.isPending && 'Deleting…'}
        onConfirm={() => remove.mutate()}
      >
        The history of its commands, its figures and its key are lost, and Slipway can no longer reach it. On
        the machine itself nothing is stopped or removed. This cannot be undone.
      </ConfirmDialog>
    </>
  )
}
