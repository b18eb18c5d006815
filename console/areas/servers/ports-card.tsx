import { toast } from 'sonner'
import { useForm } from '../../lib/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/field.tsx'
import { Input } from '../../ui/input.tsx'
import { useUpdateServer } from './changes.ts'
import type { Server } from './queries.ts'

/** Where the proxy listens; a machine whose usual ports are taken uses others. */
export function PortsCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const { form, errors, pending } = useForm(
    { http_port: 'required', https_port: 'required' },
    async ({ http_port: http, https_port: https }) => {
      await update.mutateAsync({ http_port: Number(http), https_port: Number(https) })
      toast.success('Ports saved. Set the server up again to use them.')
    },
  )
  return (
    <form {...form}>
      <Card
        title="Proxy ports"
        description="Where the proxy on this server takes the traffic of your applications."
        footer={
          <>
            They are used from the next set-up on.
            <Button type="submit" variant="primary" pending={pending && 'Saving…'}>
              Save
            </Button>
          </>
        }
      >
        <div className="grid max-w-xs grid-cols-2 gap-4">
          <Field label="HTTP" error={errors['http_port']}>
            <Input name="http_port" defaultValue={server.http_port} inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="HTTPS" error={errors['https_port']}>
            <Input
              name="https_port"
              defaultValue={server.https_port}
              inputMode="numeric"
              autoComplete="off"
            />
          </Field>
        </div>
      </Card>
    </form>
  )
}
