import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input, PasswordInput } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { registryHost } from './image-name.ts'
import { type Registry, useUpdateRegistry, useCreateRegistry } from './queries.ts'

const fields = {
  name: 'optional',
  host: 'optional',
  scope: 'optional',
  username: 'required',
  password: 'required',
  unchecked: 'optional',
} as const

interface RegistryDialogProps {
  action?: string
  onSaved?: () => void
  onClose: () => void
}

interface AddRegistryDialogProps extends RegistryDialogProps {
  image?: string
}

export function AddRegistryDialog({
  image,
  action = 'Add registry',
  onSaved,
  onClose,
}: AddRegistryDialogProps) {
  const keep = useCreateRegistry()
  const imageHost = registryHost(image ?? '')
  const [kind, setKind] = useState<Registry['kind']>(() => kindOfHost(imageHost))
  const { host, placeholder, label } = kinds[kind]
  return (
    <FormDialog
      title="Add registry"
      description="Used by all servers to pull private images."
      fields={{ ...fields, ...(host === 'required' && { host: 'required' as const }) }}
      action={action}
      pending="Checking credentials…"
      save={async ({ name, host: typed, unchecked, ...rest }) => {
        const made = { ...rest, kind, name: name || typed || label, unchecked: unchecked !== '' }
        await keep.mutateAsync({ ...made, ...(typed && { host: typed }) })
        toast.success('Registry added')
        onSaved?.()
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Registry" error={errors['kind']}>
            <Select
              options={kindOptions}
              value={kind}
              onValueChange={(value) => isKind(value) && setKind(value)}
            />
          </Field>
          {host !== 'fixed' && (
            <Field
              label="Host"
              optional={host === 'optional'}
              help="Host at the start of image names."
              error={errors['host']}
            >
              <Input
                name="host"
                mono
                defaultValue={kind === kindOfHost(imageHost) ? imageHost : ''}
                placeholder={placeholder}
              />
            </Field>
          )}
          <Field label="Name" optional help="Shown in the console." error={errors['name']}>
            <Input name="name" autoComplete="off" placeholder={label} />
          </Field>
          <LogInFields kind={kind} errors={errors} />
        </>
      )}
    </FormDialog>
  )
}

/** Dialog that edits a registry. An empty password field keeps the current password. */
export function EditRegistryDialog({
  registry,
  action = 'Save',
  onSaved,
  onClose,
}: RegistryDialogProps & { registry: Registry }) {
  const change = useUpdateRegistry(registry.id)
  return (
    <FormDialog
      title={`Edit ${registry.name}`}
      description={`Credentials for ${registry.host}.`}
      fields={{ ...fields, name: 'required', password: 'optional' }}
      action={action}
      save={async ({ name, scope, username, password, unchecked }) => {
        const settings = { name, scope, username, unchecked: unchecked !== '' }
        await change.mutateAsync({ ...settings, ...(password && { password }) })
        toast.success('Registry saved')
        onSaved?.()
      }}
      onClose={onClose}
    >
      {(errors) => (
        <>
          <Field label="Name" error={errors['name']}>
            <Input name="name" defaultValue={registry.name} autoComplete="off" />
          </Field>
          <LogInFields kind={registry.kind} errors={errors} registry={registry} />
        </>
      )}
    </FormDialog>
  )
}

interface LogInFieldsProps {
  kind: Registry['kind']
  errors: Record<string, string>
  registry?: Registry
}

function LogInFields({ kind, errors, registry }: LogInFieldsProps) {
  const { secret, help } = kinds[kind]
  return (
    <>
      <Field label="Username" error={errors['username']}>
        <Input name="username" defaultValue={registry?.username} autoComplete="off" spellCheck={false} />
      </Field>
      <Field
        label={secret}
        optional={registry !== undefined}
        help={registry ? 'Leave empty to keep the current value.' : help}
        error={errors['password']}
      >
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <Field
        label="Image prefix"
        optional
        help="Path of the images that these credentials are for, such as acme/shop. Leave empty for all images."
        error={errors['scope']}
      >
        <Input name="scope" mono defaultValue={registry?.scope} placeholder="acme" />
      </Field>
      <Checkbox
        name="unchecked"
        value="yes"
        label="Save without checking"
        help="For registries that only your servers can reach."
      />
    </>
  )
}

type Kind = Registry['kind']

interface KindLabels {
  label: string
  secret: string
  help: string
  host: 'required' | 'fixed' | 'optional'
  placeholder: string
}

const kinds: Record<Kind, KindLabels> = {
  docker_hub: {
    label: 'Docker Hub',
    secret: 'Access token',
    help: 'Create a token with read permission in your Docker Hub account settings. Without two-factor authentication, your password works too.',
    host: 'fixed',
    placeholder: 'docker.io',
  },
  ghcr: {
    label: 'GitHub (ghcr.io)',
    secret: 'Personal access token',
    help: 'A classic personal access token with the read:packages scope.',
    host: 'fixed',
    placeholder: 'ghcr.io',
  },
  gitlab: {
    label: 'GitLab',
    secret: 'Deploy token',
    help: 'A deploy token or personal access token with the read_registry scope.',
    host: 'optional',
    placeholder: 'registry.gitlab.com',
  },
  other: {
    label: 'Other registry',
    secret: 'Password or token',
    help: 'Stored encrypted.',
    host: 'required',
    placeholder: 'registry.example.com:5000',
  },
}

const kindOfHost = (host: string) => order.find((kind) => kinds[kind].placeholder === host) ?? 'other'

const order: Kind[] = ['docker_hub', 'ghcr', 'gitlab', 'other']
const kindOptions = order.map((value) => ({ value, label: kinds[value].label }))

const isKind = (value: string): value is Kind => value in kinds
