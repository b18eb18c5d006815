import { useNavigate } from 'react-router'
import { toast } from 'sonner'
import { paths } from '../../paths.ts'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useLeaveWorkspace } from './leave.ts'
import { useWorkspace } from './queries.ts'

export function LeaveWorkspaceDialog({ memberId, onClose }: { memberId: string; onClose: () => void }) {
  const { name } = useWorkspace()
  const navigate = useNavigate()
  const leave = useLeaveWorkspace(() => {
    toast.success(`You left ${name}`)
    void navigate(paths.home)
  })
  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Leave ${name}?`}
      action="Leave workspace"
      pending={leave.isPending && 'Leaving…'}
      onConfirm={() => leave.mutate(memberId)}
    >
      You lose access to {name} immediately, and your API tokens for it stop working. You need a new invite to
      return.
    </ConfirmDialog>
  )
}
