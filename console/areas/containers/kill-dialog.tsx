import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useActOnContainer } from './changes.ts'
import type { Container } from './queries.ts'

export interface ContainerDialogProps {
  serverId: string
  container: Container
  onClose: () => void
  /** It is done. */
  onDone: () => void
}

export function KillDialog({ serverId, container: { id, name }, onClose, onDone }: ContainerDialogProps) {
  const act = useActOnContainer(serverId, onDone)
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Kill ${name}?`}
      action="Kill container"
      pending={act.isPending && 'Killing…'}
      onConfirm={() => act.mutate({ cid: id, body: { action: 'kill' } })}
    >
      It ends at once, without a chance to finish or to save what it is doing. Stop asks it first, and kills
      it only when it does not end in time.
    </ConfirmDialog>
  )
}
