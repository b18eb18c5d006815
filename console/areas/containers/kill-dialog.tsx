import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useContainerAction } from './mutations.ts'
import type { Container } from './queries.ts'

export interface ContainerDialogProps {
  serverId: string
  container: Container
  onClose: () => void

  onDone: () => void
}

export function KillDialog({ serverId, container: { id, name }, onClose, onDone }: ContainerDialogProps) {
  const act = useContainerAction(serverId, onDone)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Kill ${name}?`}
      action="Kill container"
      pending={act.isPending && 'Killing…'}
      onConfirm={() => act.mutate({ cid: id, body: { action: 'kill' } })}
    >
      The container is killed immediately (SIGKILL) and cannot save its work. Use Stop for a graceful
      shutdown.
    </ConfirmDialog>
  )
}
