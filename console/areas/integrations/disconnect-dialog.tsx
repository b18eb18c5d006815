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
        toast.success(`${name} disconnected`)
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
        ? 'No application uses its repositories.'
        : `${applications} ${applications === 1 ? 'application uses' : 'applications use'} its repositories. They keep running, but cannot be built or deployed by push until the account is connected again.`}{' '}
      The App stays installed at GitHub until you remove it there.
    </ConfirmDialog>
  )
}
