import { useState } from 'react'
import { scopes } from '../../../contract/shared/permissions.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Button } from '../../ui/button.tsx'
import { DialogActions, DialogClose } from '../../ui/dialog.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { formatDateInput, expiresAt, expiryOptions } from './expiry.ts'
import { type Access, LimitField } from './limit-field.tsx'
import { useCreateApiToken } from './queries.ts'

const scopeOptions = [
  { value: 'read', label: 'Read' },
  { value: 'deploy', label: 'Deploy' },
  { value: 'manage', label: 'Manage' },
]

interface NewTokenFormProps {
  onDone: (made: { name: string; token: string }) => void
}

export function NewTokenForm({ onDone }: NewTokenFormProps) {
  const create = useCreateApiToken()
  const [choice, setChoice] = useState('90')
  const custom = choice === 'custom'
  const [{ access, chosen }, setLimit] = useState<{ access: Access; chosen: string[] }>({
    access: 'all',
    chosen: [],
  })
  const { form, errors, pending } = useForm(
    { name: 'required', scope: 'required', expires_at: custom ? 'required' : 'optional' },
    async ({ name, scope, expires_at: date }) => {
      const expires = expiresAt(choice, date, new Date())
      const made = await create.mutateAsync({
        name,
        scope: scopes.find((one) => one === scope) ?? 'read',
        expires_at: expires,
        ...(access !== 'all' && { [access]: chosen }),
      })
      onDone({ name: made.api_token.name, token: made.token })
    },
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Name" help="For example “CI”." error={errors['name']}>
        <Input name="name" autoComplete="off" />
      </Field>
      <Field
        label="Scope"
        help="Read: view everything except secrets. Deploy: also deploy, roll back, restart, stop and start. Manage: everything your role allows."
        error={errors['scope']}
      >
        <Select name="scope" defaultValue="read" options={scopeOptions} />
      </Field>
      <LimitField
        access={access}
        chosen={chosen}
        error={errors['projects'] ?? errors['applications']}
        onChange={(now, ids) => setLimit({ access: now, chosen: ids })}
      />
      <Field label="Expires" error={custom ? undefined : errors['expires_at']}>
        <Select value={choice} onValueChange={setChoice} options={expiryOptions} />
      </Field>
      {custom && (
        <Field
          label="Last day"
          help="The token is valid until the end of this day."
          error={errors['expires_at']}
        >
          <Input name="expires_at" type="date" min={formatDateInput()} />
        </Field>
      )}
      <DialogActions>
        <DialogClose asChild>
          <Button>Cancel</Button>
        </DialogClose>
        <Button type="submit" variant="primary" pending={pending && 'Creating…'}>
          Create token
        </Button>
      </DialogActions>
    </form>
  )
}
