import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type ApiToken, useDeleteApiToken } from './queries.ts'

export function DeleteTokenDialog({ token, onClose }: { token: ApiToken; onClose: () => void }) {
  const remove = useDeleteApiToken()

  function confirm() {
    remove.mutate(token.id, {
      onSuccess: () => {
        toast.success('API token deleted')
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${token.name}?`}
      action="Delete token"
      pending={remove.isPending && 'Deleting…'}
      onConfirm={confirm}
    >
      Requests with this token will fail immediately. This cannot be undone.
    </ConfirmDialog>
  )
}
