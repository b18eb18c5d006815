import { useState } from 'react'
import type { Role } from '../../../contract/permissions.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { InviteForm } from './invite-form.tsx'
import { InviteLink } from './invite-link.tsx'
import type { Invite } from './invites.ts'

interface InviteDialogProps {
  mine: Role
  /** Whether this Slipway sends mail. */
  mail: boolean
}

/** Open while the address says `?dialog=invite`. */
export function InviteDialog(props: InviteDialogProps) {
  const { dialog, close } = useDialog()
  return dialog === 'invite' ? <Opened {...props} onClose={close} /> : null
}

function Opened({ mine, mail, onClose }: InviteDialogProps & { onClose: () => void }) {
  const [made, setMade] = useState<Invite>()
  return (
    <Dialog
      open
      holds
      onOpenChange={onClose}
      title={made ? `${made.email} is invited` : 'Invite somebody'}
      description={
        made || mail
          ? undefined
          : 'This Slipway sends no mail: invites are links to copy. You get one to hand over.'
      }
    >
      {made ? (
        <InviteLink invite={made} mail={mail} onAnother={() => setMade(undefined)} />
      ) : (
        <InviteForm mine={mine} mail={mail} onDone={setMade} />
      )}
    </Dialog>
  )
}
