import { useState } from 'react'
import type { Role } from '../../../contract/shared/permissions.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog, DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { type Invite, useInvite } from './invites.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Day } from '../../ui/time.tsx'
import { readRole, roleOptions } from '../../lib/roles.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'

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

interface InviteLinkProps {
  invite: Invite
  mail: boolean
  onAnother: () => void
}

function InviteLink({ invite, mail, onAnother }: InviteLinkProps) {
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

interface InviteFormProps {
  mine: Role
  mail: boolean
  onDone: (invite: Invite) => void
}

function InviteForm({ mine, mail, onDone }: InviteFormProps) {
  const invite = useInvite()
  const { form, errors, pending } = useForm(
    { email: 'required', role: 'required' },
    async ({ email, role }) => onDone((await invite.mutateAsync({ email, role: readRole(role) })).invite),
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Email" help="The invite works for this address only." error={errors['email']}>
        <Input name="email" type="email" autoComplete="off" />
      </Field>
      <Field label="Role" error={errors['role']}>
        <Select name="role" defaultValue="member" options={roleOptions(mine)} />
      </Field>
      <dl className="flex flex-col gap-1 text-sm text-muted" aria-label="What each role may do">
        {roleOptions(mine).map(({ value, label, help }) => (
          <div key={value}>
            <dt className="inline font-medium text-ink">{label}</dt>
            <dd className="inline"> · {help}</dd>
          </div>
        ))}
      </dl>
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending && 'Inviting…'}>
          {mail ? 'Send invite' : 'Create invite link'}
        </Button>
      </DialogActions>
    </form>
  )
}
