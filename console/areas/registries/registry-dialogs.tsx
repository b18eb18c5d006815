import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { PasswordInput } from '../../ui/form/password-input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type Registry, useChangeRegistry, useKeepRegistry } from './queries.ts'
const fields = {
  name: 'optional',
  host: 'optional',
  scope: 'optional',
  username: 'required',
  password: 'required',
  unchecked: 'optional',
} as const

/** Asks for credentials of a registry, which is asked whether it takes them. */
export function AddRegistryDialog({ onClose }: { onClose: () => void }) {
  const keep = useKeepRegistry()
  const [kind, setKind] = useState<Registry['kind']>('docker_hub')
  const { host, placeholder, label } = kinds[kind]
  return (
    <FormDialog
      title="Add a registry"
      description="Servers of this workspace pull private images with these credentials."
      fields={{ ...fields, ...(host === 'asked' && { host: 'required' as const }) }}
      action="Add registry"
      pending="Asking the registry…"
      save={async ({ name, host: typed, unchecked, ...rest }) => {
        const made = { ...rest, kind, name: name || typed || label, unchecked: unchecked !== '' }
        const { name: added } = await keep.mutateAsync({ ...made, ...(typed && { host: typed }) })
        toast.success(`${added} was added.`)
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
              help="As it stands before the names of its images."
              error={errors['host']}
            >
              <Input name="host" mono placeholder={placeholder} autoComplete="off" spellCheck={false} />
            </Field>
          )}
          <Field label="Name" optional help="What it is called here." error={errors['name']}>
            <Input name="name" autoComplete="off" placeholder={label} />
          </Field>
          <LogInFields kind={kind} errors={errors} />
        </>
      )}
    </FormDialog>
  )
}

/** The password stays where none is typed. */
export function EditRegistryDialog({ registry, onClose }: { registry: Registry; onClose: () => void }) {
  const change = useChangeRegistry(registry.id)
  return (
    <FormDialog
      title={`Edit ${registry.name}`}
      description={`Credentials for ${registry.host}.`}
      fields={{ ...fields, name: 'required', password: 'optional' }}
      action="Save"
      save={async ({ name, scope, username, password, unchecked }) => {
        const given = { name, scope, username, unchecked: unchecked !== '' }
        await change.mutateAsync({ ...given, ...(password && { password }) })
        toast.success(`${name} was saved.`)
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
  /** To begin from. */
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
        help={registry ? 'Leave it empty to keep the one that is there.' : help}
        error={errors['password']}
      >
        <PasswordInput name="password" autoComplete="new-password" />
      </Field>
      <Field
        label="Only for images that begin with"
        optional
        help="After the host, such as acme or acme/shop. Empty means all of them."
        error={errors['scope']}
      >
        <Input name="scope" mono defaultValue={registry?.scope} placeholder="acme" autoComplete="off" />
      </Field>
      <Checkbox
        name="unchecked"
        value="yes"
        label="Keep without asking the registry"
        help="For one that only your servers can reach."
      />
    </>
  )
}

type Kind = Registry['kind']

interface KindWords {
  label: string
  /** What is typed as the password. */
  secret: string
  help: string
  /** Whether its host is asked for, and which one it is otherwise. */
  host: 'asked' | 'fixed' | 'optional'
  placeholder: string
}

const kinds: Record<Kind, KindWords> = {
  docker_hub: {
    label: 'Docker Hub',
    secret: 'Access token',
    help: 'Made in your account settings at Docker Hub, with the right to read. A password does too, where two-factor authentication is off.',
    host: 'fixed',
    placeholder: 'docker.io',
  },
  ghcr: {
    label: 'GitHub (ghcr.io)',
    secret: 'Personal access token',
    help: 'A classic token of GitHub with the scope read:packages.',
    host: 'fixed',
    placeholder: 'ghcr.io',
  },
  gitlab: {
    label: 'GitLab',
    secret: 'Deploy token',
    help: 'A deploy token, or a personal access token, with the scope read_registry.',
    host: 'optional',
    placeholder: 'registry.gitlab.com',
  },
  other: {
    label: 'Another registry',
    secret: 'Password or token',
    help: 'It is sealed, and never shown again.',
    host: 'asked',
    placeholder: 'registry.example.com:5000',
  },
}

const order: Kind[] = ['docker_hub', 'ghcr', 'gitlab', 'other']
const kindOptions = order.map((value) => ({ value, label: kinds[value].label }))

const isKind = (value: string): value is Kind => value in kinds
