import { useQuery } from '@tanstack/react-query'
import { Cloud } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { ChoiceCards } from '../../ui/form/choice-cards.tsx'
import { BrandName } from '../../ui/brand/brand-logo.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type CloudToken, providersQuery, useUpdateCloudToken, useAddCloudToken } from './queries.ts'
import { QueryFallback } from '../../lib/query-fallback.tsx'

interface AddTokenDialogProps {
  onAdded?: (token: CloudToken) => void
  onClose: () => void
}

export function AddTokenDialog({ onAdded, onClose }: AddTokenDialogProps) {
  const keep = useAddCloudToken()
  const query = useQuery(providersQuery)
  const { data } = query
  const [chosen, setChosen] = useState('')
  const provider = data?.providers.find(({ id }) => id === chosen) ?? data?.providers[0]
  return (
    <FormDialog
      wide
      title="Add cloud token"
      description="Used to create, list and delete servers. Stored encrypted."
      fields={{ provider: 'required', name: 'optional', token: 'required' }}
      action="Add token"
      pending={`Checking with ${provider?.name ?? 'the provider'}…`}
      save={async ({ provider: id, name, token }) => {
        const made = await keep.mutateAsync({ provider: id, token, name: name || (provider?.name ?? id) })
        toast.success('Cloud token added')
        onAdded?.(made)
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          {data ? (
            <ChoiceCards
              name="provider"
              legend="Provider"
              options={data.providers.map(({ id, name }) => ({
                value: id,
                title: (
                  <BrandName brand={id} fallback={<Cloud />}>
                    {name}
                  </BrandName>
                ),
              }))}
              value={provider?.id ?? ''}
              onChange={setChosen}
              error={errors['provider']}
            />
          ) : (
            <QueryFallback
              query={query}
              failed="Could not load providers"
              skeleton={<Skeleton className="h-12" />}
            />
          )}
          <Field
            label="Token"
            help={
              provider && (
                <>
                  {provider.token_help}{' '}
                  <ExternalTextLink href={provider.token_url}>
                    Create a token at {provider.name}
                  </ExternalTextLink>
                </>
              )
            }
            error={errors['token']}
          >
            <PasswordInput name="token" mono autoComplete="off" />
          </Field>
          <Field
            label="Name"
            optional
            help="Shown in the console, such as Acme production."
            error={errors['name']}
          >
            <Input name="name" autoComplete="off" placeholder={provider?.name} />
          </Field>
        </>
      )}
    </FormDialog>
  )
}

interface EditTokenDialogProps {
  token: CloudToken
  provider: string
  onClose: () => void
}

/** Dialog that edits a cloud token. An empty token field keeps the current token. */
export function EditTokenDialog({ token: { id, name, servers }, provider, onClose }: EditTokenDialogProps) {
  const change = useUpdateCloudToken(id)
  return (
    <FormDialog
      title={`Edit ${name}`}
      description={`${provider} API token.`}
      fields={{ name: 'required', token: 'optional' }}
      action="Save"
      pending={`Checking with ${provider}…`}
      save={async ({ name: typed, token }) => {
        await change.mutateAsync({ name: typed, ...(token && { token }) })
        toast.success('Cloud token saved')
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Name" error={errors['name']}>
            <Input name="name" defaultValue={name} autoComplete="off" />
          </Field>
          <Field
            label="New token"
            optional
            help={
              servers === 0
                ? 'Leave empty to keep the current token.'
                : 'Must belong to the same account. Leave empty to keep the current token.'
            }
            error={errors['token']}
          >
            <PasswordInput name="token" mono autoComplete="off" />
          </Field>
        </>
      )}
    </FormDialog>
  )
}
