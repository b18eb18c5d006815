import { useForm } from '../../../lib/form/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { useCreateServer } from '../mutations.ts'

export function NewServerForm({ onDone }: { onDone: (id: string) => void }) {
  const create = useCreateServer()
  const { form, errors, pending } = useForm(
    { name: 'required', address: 'required', port: 'required', user: 'required' },
    async ({ port, ...fields }) => {
      const { server } = await create.mutateAsync({ ...fields, port: Number(port) })
      onDone(server.id)
    },
  )
  return (
    <form {...form}>
      <Card
        title="Server address"
        footer={
          <>
            Next, add Slipway’s SSH key to the server.
            <Button type="submit" variant="primary" pending={pending && 'Adding…'}>
              Add server
            </Button>
          </>
        }
      >
        <div className="grid max-w-2xl gap-4 sm:grid-cols-[1fr_7rem]">
          <Field label="Name" error={errors['name']}>
            <Input name="name" autoComplete="off" />
          </Field>
          <div className="max-sm:hidden" />
          <Field
            label="Address"
            help="Host name or IP address that Slipway can reach."
            error={errors['address']}
          >
            <Input name="address" mono />
          </Field>
          <Field label="SSH port" error={errors['port']}>
            <Input name="port" defaultValue="22" inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="User" help="root, or a user with passwordless sudo." error={errors['user']}>
            <Input name="user" defaultValue="root" mono />
          </Field>
        </div>
      </Card>
    </form>
  )
}
