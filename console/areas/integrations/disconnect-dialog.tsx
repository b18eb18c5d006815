import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type Integration, useDeleteIntegration } from './queries.ts'

export function DisconnectDialog({
  integration,
  onClose,
}: {
  integration: Integration
  onClose: () => void
}) {
  const { id, name, applications } = integration
  const remove = useDeleteIntegration()
  const confirm = () =>
    remove.mutate(id, {
      onSuccess: () => {
        toast.success(`${name} was disconnected.`)
        onClose()
      },
    })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Disconnect ${name}?`}
      action="Disconnect"
      pending={remove.isPending && 'Disconnecting…'}
      onConfirm={confirm}
    >
      {applications === 0
        ? 'No application is made from its repositories.'
        : `${applications} ${applications === 1 ? 'application is' : 'applications are'} made from its repositories: what runs goes on, but pushes deploy no longer, and nothing is built until the account is connected again.`}{' '}
      The App stays installed at GitHub until you remove it there.
    </ConfirmDialog>
  )
}
