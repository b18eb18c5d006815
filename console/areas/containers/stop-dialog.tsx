import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useActOnContainer } from './changes.ts'
import type { ContainerDialogProps } from './kill-dialog.tsx'

/** Only for one that does not outlive it. */
export function StopDialog({ serverId, container: { id, name }, onClose, onDone }: ContainerDialogProps) {
  const stop = useActOnContainer(serverId, () => {
    toast.success(`${name} was stopped, and is removed.`)
    onDone()
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Stop and remove ${name}?`}
      action="Stop and remove"
      pending={stop.isPending && 'Stopping…'}
      onConfirm={() => stop.mutate({ cid: id, body: { action: 'stop' } })}
    >
      It was started with <span className="font-mono">--rm</span>: it is removed when it stops. What was
      written inside it, its anonymous volumes and its log are lost. This cannot be undone.
    </ConfirmDialog>
  )
}
