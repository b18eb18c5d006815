import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type Member, useRemoveMember } from './members.ts'
import { useWorkspace } from './queries.ts'

export function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const workspace = useWorkspace()
  const remove = useRemoveMember()

  function confirm() {
    remove.mutate(member.id, {
      onSuccess: () => {
        toast.success(`${member.name} was removed.`)
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${member.name}?`}
      action="Remove member"
      pending={remove.isPending && 'Removing…'}
      onConfirm={confirm}
    >
      {member.name} ({member.email}) loses access to {workspace.name} at once, and their API tokens for it
      stop working. You can invite them again later.
    </ConfirmDialog>
  )
}
