import { useForm } from '../../../lib/form/use-form.ts'
import { Button } from '../../../ui/button.tsx'
import { Card } from '../../../ui/card.tsx'
import { Field } from '../../../ui/form/field.tsx'
import { Input } from '../../../ui/form/input.tsx'
import { useCreateServer } from '../changes.ts'

/** A server by its address. */
export function NewServerForm({ onDone }: { onDone: (id: string) => void }) {
  const create = useCreateServer()
  const { form, errors, pending } = useForm(
    { name: 'required', address: 'required', port: 'required', user: 'required' },
    async ({ port, ...given }) => {
      const { server } = await create.mutateAsync({ ...given, port: Number(port) })
      onDone(server.id)
    },
  )
  return (
    <form {...form}>
      <Card
        title="Where is the server?"
        footer={
          <>
            Next, you get a key to authorise there.
            <Button type="submit" variant="primary" pending={pending && 'Adding…'}>
              Add server
            </Button>
          </>
        }
      >
        <div className="grid max-w-2xl gap-4 sm:grid-cols-[1fr_7rem]">
          <Field label="Name" help="As you call it here." error={errors['name']}>
            <Input name="name" autoComplete="off" />
          </Field>
          <div className="max-sm:hidden" />
          <Field
            label="Address"
            help="A host name or an IP address that Slipway can reach."
            error={errors['address']}
          >
            <Input name="address" autoComplete="off" autoCapitalize="off" spellCheck={false} mono />
          </Field>
          <Field label="SSH port" error={errors['port']}>
            <Input name="port" defaultValue="22" inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="User" help="root, or one who may use sudo without a password." error={errors['user']}>
            <Input
              name="user"
              defaultValue="root"
              autoComplete="off"
              autoCapitalize="off"
              spellCheck={false}
              mono
            />
          </Field>
        </div>
      </Card>
    </form>
  )
}
