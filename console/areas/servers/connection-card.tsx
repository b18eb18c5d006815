import { toast } from 'sonner'
import { AddressInput } from '../../lib/address-input.tsx'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useUpdateServer } from './mutations.ts'
import type { Server } from './queries.ts'

export function ConnectionCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const draft = useDraft(`connection of ${server.id}`, {
    address: server.address ?? '',
    port: String(server.port),
    user: server.user,
  })
  const { form, errors, pending } = useForm(
    { address: 'required', port: 'required', user: 'required' },
    async ({ address, port, user }) => {
      const { server: after } = await update.mutateAsync({ address, port: Number(port), user })
      draft.drop()
      toast.success(after.status === 'pending' ? 'Saved. Connect to the server next.' : 'Connection saved')
    },
  )
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title="Connection"
        footer={
          <>
            Changing the address or port requires confirming the host key again.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="grid max-w-2xl gap-4 sm:grid-cols-[1fr_7rem_10rem]">
          <Field label="Address" error={errors['address']}>
            <AddressInput name="address" defaultValue={draft.typed.address} />
          </Field>
          <Field label="SSH port" error={errors['port']}>
            <Input name="port" defaultValue={draft.typed.port} inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="User" error={errors['user']}>
            <Input name="user" defaultValue={draft.typed.user} autoComplete="off" spellCheck={false} mono />
          </Field>
        </div>
      </Card>
    </form>
  )
}
