import { toast } from 'sonner'
import { SaveButtons } from '../../lib/form/save-buttons.tsx'
import { useDraft } from '../../lib/form/use-draft.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Card } from '../../ui/card.tsx'
import { useUpdateServer } from './mutations.ts'
import { type Server, serverKeyQuery } from './queries.ts'
import { labelsError, readLabels, writeLabels } from './labels.tsx'
import { AddressInput } from '../../lib/address.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { useQuery } from '@tanstack/react-query'
import { CodeBlock } from '../../ui/code.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { KeyCommand } from './next-step.tsx'

export function ServerGeneralCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  const draft = useDraft(`name of ${server.id}`, typedOf(server))
  const { form, errors, pending } = useForm(
    { name: 'required', labels: 'optional' },
    async ({ name, labels }) => {
      await update.mutateAsync({ name, labels: readLabels(labels) })
      // Show the saved value, which is trimmed and deduplicated.
      draft.drop()
      toast.success('Server saved')
    },
  )
  return (
    <form {...form} onReset={draft.onReset}>
      <Card
        title="Name and labels"
        footer={
          <>
            Visible to everyone in the workspace.
            <SaveButtons draft={draft} pending={pending} />
          </>
        }
      >
        <NameFields draft={draft} errors={errors} />
      </Card>
    </form>
  )
}

const typedOf = ({ name, labels }: Server) => ({ name, labels: writeLabels(labels) })

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
            <Input name="user" defaultValue={draft.typed.user} mono />
          </Field>
        </div>
      </Card>
    </form>
  )
}

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

export function KeyCard({ server: { id, user } }: { server: Server }) {
  const { data: key, isError } = useQuery(serverKeyQuery(id))
  return (
    <Card title="SSH key" description="The public key that Slipway uses to log in to this server.">
      <div className="flex flex-col gap-4">
        {key && <CodeBlock label="Copy the public key">{key.public_key}</CodeBlock>}
        {!key && !isError && <Skeleton className="h-9 w-full rounded-md!" />}
        <div className="flex flex-col gap-1.5">
          <p className="text-sm text-muted">
            To add it, run this on the server as <span className="font-mono">{user}</span>:
          </p>
          <KeyCommand id={id} />
        </div>
      </div>
    </Card>
  )
}

interface NameFieldsProps {
  draft: { typed: { name: string; labels: string }; onInput: (event: { target: EventTarget }) => void }
  errors: Record<string, string>
}

export const NameFields = ({ draft: { typed, onInput }, errors }: NameFieldsProps) => (
  <div className="grid max-w-2xl gap-4 sm:grid-cols-2">
    <Field label="Name" error={errors['name']}>
      <Input name="name" value={typed.name} onChange={onInput} autoComplete="off" />
    </Field>
    <Field label="Labels" optional help="Separate with commas, such as web, eu." error={labelsError(errors)}>
      <Input name="labels" value={typed.labels} onChange={onInput} autoComplete="off" />
    </Field>
  </div>
)
