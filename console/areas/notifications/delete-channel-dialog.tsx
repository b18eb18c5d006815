import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { alertsPath } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useDeleteChannel } from './mutations.ts'
import type { Notification } from './queries.ts'

interface DeleteChannelDialogProps {
  channel: Pick<Notification, 'id' | 'name' | 'queued'>
  onClose: () => void
}

export function DeleteChannelDialog({ channel: { id, name, queued }, onClose }: DeleteChannelDialogProps) {
  const navigate = useNavigate()
  const remove = useDeleteChannel(id, () => {
    toast.success('Channel deleted')
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
      Its settings and history are deleted
      {queued > 0 && `, and ${queued} queued ${queued === 1 ? 'message is' : 'messages are'} not sent`}.
    </ConfirmDialog>
  )
}
