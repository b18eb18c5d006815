import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { userQuery } from '../areas/user/queries.ts'
import { inviteToken } from '../areas/workspaces/invite-token.ts'
import { useAcceptInvite } from '../areas/workspaces/queries.ts'
import { useForm } from '../lib/use-form.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'

/** Joining with the account one is logged in with. */
export function JoinSignedIn({ invite, onOther }: { invite: string; onOther: () => void }) {
  const { data: user } = useQuery(userQuery)
  const accept = useAcceptInvite()
  const navigate = useNavigate()
  const { form, errors, pending } = useForm({ token: 'required' }, async ({ token }) => {
    await accept.mutateAsync(inviteToken(token))
    await navigate(paths.home)
  })
  return (
    <form {...form} className="flex flex-col gap-4">
      <p className="min-h-5 wrap-anywhere">{user && <>You are logged in as {user.email}.</>}</p>
      <Field label="Invite token" error={errors['token']}>
        <Input name="token" defaultValue={invite} autoComplete="off" spellCheck={false} mono />
      </Field>
      <Button type="submit" variant="primary" wide pending={pending && 'Joining…'}>
        Join with this account
      </Button>
      <Button variant="ghost" wide onClick={onOther}>
        Use another account
      </Button>
    </form>
  )
}
