import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { type Invite, useWithdrawInvite } from './invites.ts'

export function WithdrawInviteDialog({ invite, onClose }: { invite: Invite; onClose: () => void }) {
  const withdraw = useWithdrawInvite()

  function confirm() {
    withdraw.mutate(invite.id, {
      onSuccess: () => {
        toast.success(`The invite for ${invite.email} was withdrawn.`)
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Withdraw the invite for ${invite.email}?`}
      action="Withdraw invite"
      pending={withdraw.isPending && 'Withdrawing…'}
      onConfirm={confirm}
    >
      Its link stops working at once. You can invite {invite.email} again.
    </ConfirmDialog>
  )
}
