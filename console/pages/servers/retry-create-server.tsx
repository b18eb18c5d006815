import { useNavigate } from 'react-router'
import { useProvisionServer } from '../../areas/servers/mutations.ts'
import { type Server, useServer } from '../../areas/servers/queries.ts'
import { OrderForm } from '../../areas/providers/order-form.tsx'
import { AddressText } from '../../lib/address.tsx'
import { useDraft } from '../../lib/form/use-draft.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { paths, serverPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ServerFallback } from './server-fallback.tsx'

export function RetryCreateServer({ id }: { id: string }) {
  const query = useServer(id)
  const { data: server } = query
  if (query.error && !server) return <ServerFallback title={title} query={query} />
  return (
    <>
      <PageHeader
        title={title}
        parents={[
          { label: 'Servers', to: paths.servers },
          { label: server?.name ?? `Server ${id}`, to: serverPath(id) },
        ]}
        description="No server was created and you were not billed. Choose a different region, type, image or name."
      />
      {server ? <Choosing server={server} /> : <Skeleton className="h-40 w-full rounded-lg!" />}
    </>
  )
}

const title = 'Change configuration'

function Choosing({ server }: { server: Server }) {
  const { id, name, cloud, status } = server
  const open = cloud && cloud.id === null && status === 'failed'
  if (open && cloud.cloud_token_id !== null)
    return <Again server={server} source={{ ...cloud, tokenId: cloud.cloud_token_id }} />
  return (
    <Notice
      tone="neutral"
      title={`Cannot change the configuration of ${name}`}
      action={<ButtonLink to={serverPath(id)}>View server</ButtonLink>}
    >
      {open
        ? 'The cloud token of this server was deleted. Delete the server and create a new one.'
        : 'You can change the configuration only if creation failed and no server exists at the cloud provider.'}
    </Notice>
  )
}

interface AgainProps {
  server: Server
  source: { provider: string; provider_name: string; image_id: string | null; tokenId: string }
}

function Again({ server, source }: AgainProps) {
  const { id, name, reason, region, type } = server
  const provision = useProvisionServer(id)
  const navigate = useNavigate()
  const draft = useDraft({ name })
  const { form, errors, pending } = useForm(
    { region: 'required', type: 'required', image: 'required', name: 'required' },
    async (order) => {
      await provision.mutateAsync(order)
      draft.drop()
      void navigate(serverPath(id))
    },
  )
  return (
    <OrderForm
      form={form}
      errors={errors}
      source={{
        provider: source.provider,
        tokenId: source.tokenId,
        account: source.provider_name,
        providerName: source.provider_name,
      }}
      preset={{ region, type, image: source.image_id }}
      before={
        <Notice tone="red" title={`Could not create ${name}`}>
          <AddressText revealable>{reason ?? ''}</AddressText>
        </Notice>
      }
      action="Create server"
      pending={pending}
    >
      <Card title="Name" description="Also used as the name at the cloud provider.">
        <div className="max-w-sm">
          <Field label="Name" error={errors['name']}>
            <Input name="name" value={draft.typed.name} onChange={draft.onInput} autoComplete="off" />
          </Field>
        </div>
      </Card>
    </OrderForm>
  )
}
