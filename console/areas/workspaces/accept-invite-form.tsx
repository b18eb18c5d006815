import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useAcceptInvite } from './queries.ts'
import { inviteToken } from './invite-token.ts'

export function AcceptInviteForm() {
  const accept = useAcceptInvite()
  const { form, errors, pending } = useForm({ token: 'required' }, ({ token }) =>
    accept.mutateAsync(inviteToken(token)),
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Invite" help="Paste the invite link or token." error={errors['token']}>
        <Input name="token" mono />
      </Field>
      <div className="flex justify-end">
        <Button type="submit" pending={pending && 'Joining…'}>
          Join workspace
        </Button>
      </div>
    </form>
  )
}
