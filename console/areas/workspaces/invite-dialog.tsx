import { useState } from 'react'
import type { Role } from '../../../contract/shared/permissions.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog, DialogActions, DialogClose, DialogFooter } from '../../ui/dialog.tsx'
import { type Invite, useInvite } from './members.ts'
import { Button } from '../../ui/button.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { Day } from '../../ui/time.tsx'
import { readRole, roleOptions } from '../../lib/role-labels.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'

interface InviteDialogProps {
  mine: Role
  mail: boolean
}

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
      title={made ? `${made.email} is invited` : 'Invite a member'}
      description={made || mail ? undefined : 'Email is not configured. Create a link and share it yourself.'}
    >
      {made ? (
        <InviteLink invite={made} mail={mail} onAnother={() => setMade(undefined)} />
      ) : (
        <InviteForm mine={mine} mail={mail} onDone={setMade} />
      )}
    </Dialog>
  )
}

const InviteLink = ({
  invite,
  mail,
  onAnother,
}: {
  invite: Invite
  mail: boolean
  onAnother: () => void
}) => (
  <>
    <p className="wrap-anywhere text-muted">
      {mail
        ? `We sent the invite to ${invite.email}. You can also share this link.`
        : `Share this link with ${invite.email}.`}{' '}
      The link works once, for this email address only, until <Day at={invite.expires_at} />.
    </p>
    {invite.url && <CodeBlock label="Copy the invite link">{invite.url}</CodeBlock>}
    <DialogActions>
      <Button onClick={onAnother}>Invite another</Button>
      <DialogClose variant="primary">Done</DialogClose>
    </DialogActions>
  </>
)

function InviteForm({ mine, mail, onDone }: { mine: Role; mail: boolean; onDone: (invite: Invite) => void }) {
  const invite = useInvite()
  const { form, errors, pending } = useForm(
    { email: 'required', role: 'required' },
    async ({ email, role }) => onDone((await invite.mutateAsync({ email, role: readRole(role) })).invite),
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Email" help="Only this email address can use the invite." error={errors['email']}>
        <Input name="email" type="email" autoComplete="off" />
      </Field>
      <Field label="Role" error={errors['role']}>
        <Select name="role" defaultValue="member" options={roleOptions(mine)} />
      </Field>
      <dl className="flex flex-col gap-1 text-sm text-muted" aria-label="Role permissions">
        {roleOptions(mine).map(({ value, label, help }) => (
          <div key={value}>
            <dt className="inline font-medium text-ink">{label}</dt>
            <dd className="inline"> · {help}</dd>
          </div>
        ))}
      </dl>
      <DialogFooter pending={pending && 'Inviting…'}>
        {mail ? 'Send invite' : 'Create invite link'}
      </DialogFooter>
    </form>
  )
}
