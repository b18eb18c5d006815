import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteAlert } from './changes.ts'
import type { Alert } from './queries.ts'

export function DeleteAlertDialog({ alert, onClose }: { alert: Alert; onClose: () => void }) {
  const remove = useDeleteAlert()

  async function confirm() {
    await remove.mutateAsync(alert.id)
    toast.success(`${alert.name} was deleted.`)
    onClose()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${alert.name}?`}
      action="Delete alert"
      pending={remove.isPending && 'Deleting…'}
      // A failure is told by the mutation, and leaves the dialog here.
      onConfirm={() => void confirm().catch(() => undefined)}
    >
      Nobody is told of this any more, and what fires of it now counts as over. Its history stays. To have
      peace for a while, mute it instead.
    </ConfirmDialog>
  )
}
