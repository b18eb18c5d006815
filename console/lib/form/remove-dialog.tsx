import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

interface RemoveDialogProps {
  id: string
  /** Name within the question: "port 80". */
  name: string
  /** Name in the toast, if it differs. */
  done?: string
  /** Button: "Remove variable". */
  action: string
  remove: { isPending: boolean; mutateAsync: (id: string) => Promise<unknown> }
  onClose: () => void
  /** Consequences. */
  children: ReactNode
}

export function RemoveDialog(props: RemoveDialogProps) {
  const { id, name, done = `${name} was removed.`, action, remove, onClose, children } = props

  async function confirm() {
    await remove.mutateAsync(id)
    // The dialog may be unmounted with its entry by now, but is still in the URL.
    toast.success(done)
    onClose()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${name}?`}
      action={action}
      pending={remove.isPending && 'Removing…'}
      // The mutation shows errors; the dialog stays open.
      onConfirm={() => void confirm().catch(() => undefined)}
    >
      {children}
    </ConfirmDialog>
  )
}
