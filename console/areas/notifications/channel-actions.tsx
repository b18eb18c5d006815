import { Power, Send, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Notice } from '../../ui/notice.tsx'
import { type Notification, useDeleteChannel, type useTestChannel, useUpdateChannel } from './queries.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { alertsPath } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'

type Test = Pick<ReturnType<typeof useTestChannel>, 'data' | 'isPending' | 'mutate' | 'reset'>

export const TestButton = ({ test }: { test: Test }) => (
  <Button variant="primary" pending={test.isPending && 'Sending…'} onClick={() => test.mutate(undefined)}>
    <Send aria-hidden />
    Test
  </Button>
)

export const TestResult = ({ test: { data, isPending, reset } }: { test: Test }) => (
  <output className="contents">
    {data && !isPending && (
      <Notice
        tone={data.success ? 'green' : 'red'}
        title={data.success ? 'Test delivered' : 'Test failed'}
        action={
          <Button size="small" onClick={reset}>
            Dismiss
          </Button>
        }
      >
        {data.response}
      </Notice>
    )}
  </output>
)

interface ChannelMenuProps {
  channel: Notification
  onDelete: () => void
}

export function ChannelMenu({ channel: { id, name, enabled }, onDelete }: ChannelMenuProps) {
  const update = useUpdateChannel(id)
  return (
    <ActionsMenu name={name} variant="secondary">
      <MenuItem onSelect={() => update.mutate({ enabled: !enabled })}>
        <Power aria-hidden />
        {enabled ? 'Turn off' : 'Turn on'}
      </MenuItem>
      <MenuItem onSelect={onDelete} danger>
        <Trash2 aria-hidden />
        Delete…
      </MenuItem>
    </ActionsMenu>
  )
}

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
      Its settings and message history are deleted
      {queued > 0 && `, and ${queued} queued ${queued === 1 ? 'message is' : 'messages are'} not sent`}.
    </ConfirmDialog>
  )
}
