import type { Role } from '../../../contract/permissions.ts'
import { readRole, roleOptions } from '../../lib/roles.ts'
import { useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { Select } from '../../ui/select.tsx'
import { type Invite, useInvite } from './invites.ts'

interface InviteFormProps {
  mine: Role
  mail: boolean
  onDone: (invite: Invite) => void
}

export function InviteForm({ mine, mail, onDone }: InviteFormProps) {
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
