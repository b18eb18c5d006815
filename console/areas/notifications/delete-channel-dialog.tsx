import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { alertsPath } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteChannel } from './changes.ts'
import type { Notification } from './queries.ts'

interface DeleteChannelDialogProps {
  channel: Pick<Notification, 'id' | 'name' | 'waiting'>
  onClose: () => void
}

export function DeleteChannelDialog({ channel: { id, name, waiting }, onClose }: DeleteChannelDialogProps) {
  const navigate = useNavigate()
  const remove = useDeleteChannel(id, () => {
    toast.success(`${name} was deleted.`)
    void navigate(alertsPath('channels'), { replace: true })
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Delete ${name}?`}
      action="Delete channel"
      pending={remove.isPending && 'Deleting…'}
      onConfirm={() => remove.mutate()}
    >
      Nobody is told anything through it any more. Its settings and its history are lost
      {waiting > 0 && `, and so is what still waits to be sent (${waiting})`}.
    </ConfirmDialog>
  )
}
