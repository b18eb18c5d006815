import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Day } from '../../ui/time.tsx'
import type { Invite } from './invites.ts'

interface InviteLinkProps {
  invite: Invite
  mail: boolean
  onAnother: () => void
}

export function InviteLink({ invite, mail, onAnother }: InviteLinkProps) {
  return (
    <>
      <p className="wrap-anywhere text-muted">
        {mail
          ? `We have sent a mail to ${invite.email}. You can hand over this link as well.`
          : `Send this link to ${invite.email} yourself.`}{' '}
        It works once, for that address, until <Day at={invite.expires_at} />.
      </p>
      {invite.url && <CodeBlock label="Copy the invite link">{invite.url}</CodeBlock>}
      <DialogActions>
        <Button onClick={onAnother}>Invite another</Button>
        <DialogClose asChild>
          <Button variant="primary">Done</Button>
        </DialogClose>
      </DialogActions>
    </>
  )
}
