import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { TokenPicker } from '../../areas/cloud-tokens/token-picker.tsx'
import { providersQuery, useChosenToken, useProviderName } from '../../areas/cloud-tokens/queries.ts'
import { OrderForm } from '../../areas/providers/order-form.tsx'
import { useCreateServer } from '../../areas/servers/mutations.ts'
import { NameFields } from '../../areas/servers/settings-cards.tsx'
import { readLabels } from '../../areas/servers/labels.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDraft } from '../../lib/form/use-draft.tsx'
import { useForm } from '../../lib/form/use-form.ts'
import { useParam } from '../../lib/use-param.ts'
import { paths, serverPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { Notice } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { RetryCreateServer } from './retry-create-server.tsx'
import { NotAllowed } from '../page-fallback.tsx'

export function CreateServerPage() {
  const { role } = useWorkspace()
  const [again] = useParam('again')
  const manages = roleAllows(role, 'servers.manage')
  if (manages && again !== '') return <RetryCreateServer id={again} />
  return (
    <>
      <PageHeader
        title="Create server"
        parents={[{ label: 'Servers', to: paths.servers }]}
        description="Slipway creates the server in your cloud account and sets it up."
      />
      {manages ? <Start /> : <NotAllowed needs="servers.manage" />}
    </>
  )
}

function Start() {
  const query = useQuery(providersQuery)
  const { data } = query
  if (!data)
    return (
      <QueryFallback
        query={query}
        failed="Could not load cloud providers"
        skeleton={<Skeleton className="h-40 w-full rounded-lg!" />}
      />
    )
  if (data.obstacle !== null)
    return (
      <Notice
        tone="yellow"
        title="Cannot create cloud servers yet"
        action={<ButtonLink to={paths.importServers}>Import server</ButtonLink>}
      >
        {data.obstacle}
      </Notice>
    )
  return <Create />
}

const typedFirst = { name: '', labels: '' }

function Create() {
  const { token } = useChosenToken()
  const nameOf = useProviderName()
  const create = useCreateServer()
  const navigate = useNavigate()
  const draft = useDraft(typedFirst)
  const { form, errors, pending } = useForm(fields, async (values) => {
    const { server } = await create.mutateAsync({
      name: values.name,
      labels: readLabels(values.labels),
      cloud: {
        cloud_token_id: values['cloud.cloud_token_id'],
        region: values['cloud.region'],
        type: values['cloud.type'],
        image: values['cloud.image'],
      },
    })
    draft.drop()
    void navigate(serverPath(server.id))
  })
  return (
    <OrderForm
      form={form}
      prefix="cloud."
      errors={errors}
      source={
        token && {
          provider: token.provider,
          tokenId: token.id,
          account: token.name,
          providerName: nameOf(token.provider),
        }
      }
      before={
        <Card title="Account" description="Account that is billed for the server.">
          <TokenPicker name="cloud.cloud_token_id" error={errors['cloud.cloud_token_id']} />
        </Card>
      }
      action="Create server"
      pending={pending}
    >
      <Card title="Name and labels" description="Also used as the name at the cloud provider.">
        <NameFields draft={draft} errors={errors} />
      </Card>
    </OrderForm>
  )
}

const fields = {
  'cloud.cloud_token_id': 'required',
  'cloud.region': 'required',
  'cloud.type': 'required',
  'cloud.image': 'required',
  name: 'required',
  labels: 'optional',
} as const
