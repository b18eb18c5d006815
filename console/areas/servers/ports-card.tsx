import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useUpdateServer } from './mutations.ts'
import type { Server } from './queries.ts'

export function WebPortsCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const draft = useDraft(`ports of ${server.id}`, {
    http_port: String(server.http_port),
    https_port: String(server.https_port),
  })
  const { form, errors, pending } = useForm(
    { http_port: 'required', https_port: 'required' },
    async ({ http_port: http, https_port: https }) => {
      await update.mutateAsync({ http_port: Number(http), https_port: Number(https) })
      draft.drop()
      toast.success('Ports saved. Set up the server again to apply them.')
    },
  )
  return (
    <form {...form} key={draft.round} onInput={draft.onInput} onReset={draft.onReset}>
      <Card
        title="Proxy ports"
        description="The ports on which the proxy of this server listens."
        footer={
          <>
            Changes apply on the next setup.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <div className="grid max-w-xs grid-cols-2 gap-4">
          <Field label="HTTP" error={errors['http_port']}>
            <Input
              name="http_port"
              defaultValue={draft.typed.http_port}
              inputMode="numeric"
              autoComplete="off"
            />
          </Field>
          <Field label="HTTPS" error={errors['https_port']}>
            <Input
              name="https_port"
              defaultValue={draft.typed.https_port}
              inputMode="numeric"
              autoComplete="off"
            />
          </Field>
        </div>
      </Card>
    </form>
  )
}
