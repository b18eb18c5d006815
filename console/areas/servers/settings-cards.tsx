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
import { FormCard } from '../../lib/form/form-card.tsx'
import { ErrorText } from '../../ui/problem.tsx'

export function ServerGeneralCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  return (
    <FormCard
      title="Name and labels"
      description="Visible to all workspace members."
      fields={{ name: 'required', labels: 'optional' }}
      saved={{ name: server.name, labels: writeLabels(server.labels) }}
      save={async ({ name, labels }) => {
        await update.mutateAsync({ name, labels: readLabels(labels) })
        return undefined
      }}
    >
      {({ typed, errors, onInput }) => <NameFields draft={{ typed, onInput }} errors={errors} />}
    </FormCard>
  )
}

export function ConnectionCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  return (
    <FormCard
      title="Connection"
      description="After changing the address or port, you must confirm the host key again."
      fields={{ address: 'required', port: 'required', user: 'required' }}
      saved={{ address: server.address ?? '', port: String(server.port), user: server.user }}
      save={async ({ port, ...connection }) => {
        const { server: after } = await update.mutateAsync({ ...connection, port: Number(port) })
        return after.status === 'pending' ? 'Connect to the server next.' : undefined
      }}
    >
      {({ typed, errors }) => (
        <div className="grid gap-4 sm:grid-cols-[1fr_7rem_10rem]">
          <Field label="Address" error={errors['address']}>
            <AddressInput name="address" defaultValue={typed.address} />
          </Field>
          <Field label="SSH port" error={errors['port']}>
            <Input name="port" defaultValue={typed.port} inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="User" error={errors['user']}>
            <Input name="user" defaultValue={typed.user} mono />
          </Field>
        </div>
      )}
    </FormCard>
  )
}

export function WebPortsCard({ server }: { server: Server }) {
  const update = useUpdateServer(server.id)
  return (
    <FormCard
      title="Proxy ports"
      description="Ports that the proxy listens on."
      applies="Applies on the next setup."
      fields={{ http_port: 'required', https_port: 'required' }}
      saved={{ http_port: String(server.http_port), https_port: String(server.https_port) }}
      save={async ({ http_port: http, https_port: https }) => {
        await update.mutateAsync({ http_port: Number(http), https_port: Number(https) })
        return 'Set up the server again to apply.'
      }}
    >
      {({ typed, errors }) => (
        <div className="grid grid-cols-2 gap-4">
          <Field label="HTTP" error={errors['http_port']}>
            <Input name="http_port" defaultValue={typed.http_port} inputMode="numeric" autoComplete="off" />
          </Field>
          <Field label="HTTPS" error={errors['https_port']}>
            <Input name="https_port" defaultValue={typed.https_port} inputMode="numeric" autoComplete="off" />
          </Field>
        </div>
      )}
    </FormCard>
  )
}

export function KeyCard({ server: { id, user } }: { server: Server }) {
  const { data: key, error } = useQuery(serverKeyQuery(id))
  return (
    <Card title="SSH key" description="Public key that Slipway uses to connect to this server.">
      <div className="flex flex-col gap-4">
        {key && <CodeBlock label="Copy the public key">{key.public_key}</CodeBlock>}
        {!key && !error && <Skeleton className="h-9 w-full rounded-md!" />}
        {!key && error && <ErrorText error={error} />}
        <div className="flex flex-col gap-1.5">
          <p className="text-sm text-muted">
            To add the key, run this command on the server as <span className="font-mono">{user}</span>:
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
  <div className="grid gap-4 sm:grid-cols-2">
    <Field label="Name" error={errors['name']}>
      <Input name="name" value={typed.name} onChange={onInput} autoComplete="off" />
    </Field>
    <Field label="Labels" optional help="Comma-separated, such as web, eu." error={labelsError(errors)}>
      <Input name="labels" value={typed.labels} onChange={onInput} autoComplete="off" />
    </Field>
  </div>
)
