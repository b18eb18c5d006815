import { useState } from 'react'
import { useDialog } from '../../lib/use-dialog.ts'
import { Dialog, DialogActions, DialogClose, DialogFooter } from '../../ui/dialog.tsx'
import { CodeBlock } from '../../ui/code.tsx'
import { scopes } from '../../../contract/shared/permissions.ts'
import { useForm } from '../../lib/form/use-form.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { expiresAt, expiryOptions, formatDateInput } from './expiry.ts'
import { type LimitKind, limitTargetsQuery, useCreateApiToken } from './queries.ts'
import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { ErrorText } from '../../ui/problem.tsx'

export function NewTokenDialog() {
  const { dialog, close } = useDialog()
  return dialog === 'new-token' ? <Opened onClose={close} /> : null
}

function Opened({ onClose }: { onClose: () => void }) {
  const [made, setMade] = useState<{ name: string; token: string }>()
  return (
    <Dialog
      open
      holds
      wide={made !== undefined}
      onOpenChange={onClose}
      title={made ? `API token ${made.name} created` : 'New API token'}
      description={made ? 'Copy this token now. You will not be able to see it again.' : undefined}
    >
      {made ? <TokenOnce token={made.token} /> : <NewTokenForm onDone={setMade} />}
    </Dialog>
  )
}

const TokenOnce = ({ token }: { token: string }) => (
  <>
    <CodeBlock label="Copy the token">{token}</CodeBlock>
    <div className="flex flex-col gap-1.5">
      <p className="text-sm font-medium">Try it out</p>
      <CodeBlock label="Copy the command">
        {`curl -H "Authorization: Bearer ${token}" ${window.location.origin}/v1/user`}
      </CodeBlock>
    </div>
    <DialogActions>
      <DialogClose variant="primary">Done</DialogClose>
    </DialogActions>
  </>
)

const scopeOptions = [
  { value: 'read', label: 'Read' },
  { value: 'deploy', label: 'Deploy' },
  { value: 'manage', label: 'Manage' },
]

function NewTokenForm({ onDone }: { onDone: (made: { name: string; token: string }) => void }) {
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
        scope: scopes.find((known) => known === scope) ?? 'read',
        expires_at: expires,
        ...(access !== 'all' && { [access]: chosen }),
      })
      onDone({ name: made.api_token.name, token: made.token })
    },
  )
  return (
    <form {...form} className="flex flex-col gap-4">
      <Field label="Name" help="Purpose of the token, such as CI." error={errors['name']}>
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
          label="Expiration date"
          help="The token expires at the end of this day."
          error={errors['expires_at']}
        >
          <Input name="expires_at" type="date" min={formatDateInput()} />
        </Field>
      )}
      <DialogFooter pending={pending && 'Creating…'}>Create token</DialogFooter>
    </form>
  )
}

type Access = 'all' | LimitKind

const options = [
  { value: 'all', label: 'All projects and applications' },
  { value: 'projects', label: 'Selected projects' },
  { value: 'applications', label: 'Selected applications' },
]

const isLimit = (value: string): value is LimitKind => value === 'projects' || value === 'applications'

interface LimitFieldProps {
  access: Access
  chosen: readonly string[]
  error: string | undefined
  onChange: (access: Access, chosen: string[]) => void
}

const LimitField = ({ access, chosen, error, onChange }: LimitFieldProps) => (
  <>
    <Field
      label="Access"
      help="Tokens with limited access cannot read or change servers, members or other parts of the workspace."
    >
      <Select
        value={access}
        onValueChange={(value) => onChange(isLimit(value) ? value : 'all', [])}
        options={options}
      />
    </Field>
    {access !== 'all' && (
      <Targets kind={access} chosen={chosen} error={error} onChange={(ids) => onChange(access, ids)} />
    )}
  </>
)

interface TargetsProps {
  kind: LimitKind
  chosen: readonly string[]
  error: string | undefined
  onChange: (chosen: string[]) => void
}

function Targets({ kind, chosen, error, onChange }: TargetsProps) {
  const { data: targets, error: failure } = useQuery(limitTargetsQuery(kind))
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="sr-only">{kind === 'projects' ? 'Projects' : 'Applications'}</legend>
      <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded-md border border-edge p-3">
        {!targets && !failure && <Skeleton className="h-5 w-40" />}
        {failure && !targets && <ErrorText error={failure} />}
        {targets?.length === 0 && <p className="text-sm text-muted">No {kind} in this workspace yet.</p>}
        {targets?.map(({ id, name }) => (
          <Checkbox key={id} label={name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
        ))}
      </div>
      {error && <p className="text-sm text-red-ink">{error}</p>}
    </fieldset>
  )
}
