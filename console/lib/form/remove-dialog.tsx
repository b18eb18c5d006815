import type { ReactNode } from 'react'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

interface RemoveDialogProps {
  id: string
  /** "port 80": as it is asked about. */
  name: string
  /** What is said afterwards, where the name does not begin a sentence. */
  done?: string
  /** "Remove variable" */
  action: string
  remove: { isPending: boolean; mutateAsync: (id: string) => Promise<unknown> }
  onClose: () => void
  /** What follows from it. */
  children: ReactNode
}

export function RemoveDialog(props: RemoveDialogProps) {
  const { id, name, done = `${name} was removed.`, action, remove, onClose, children } = props

  async function confirm() {
    await remove.mutateAsync(id)
    // The dialog is gone with its entry by now; whoever opened it still has it in the address.
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
      // A failure is told by the mutation, and leaves the dialog here.
      onConfirm={() => void confirm().catch(() => undefined)}
    >
      {children}
    </ConfirmDialog>
  )
}
