import { useQuery } from '@tanstack/react-query'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type LimitKind, limitTargetsQuery } from './queries.ts'

export type Access = 'all' | LimitKind

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

export function LimitField({ access, chosen, error, onChange }: LimitFieldProps) {
  return (
    <>
      <Field
        label="Access"
        help="A limited token cannot access servers, members or other parts of the workspace."
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
}

interface TargetsProps {
  kind: LimitKind
  chosen: readonly string[]
  error: string | undefined
  onChange: (chosen: string[]) => void
}

function Targets({ kind, chosen, error, onChange }: TargetsProps) {
  const { data: targets, isError } = useQuery(limitTargetsQuery(kind))
  const toggle = (id: string) =>
    onChange(chosen.includes(id) ? chosen.filter((other) => other !== id) : [...chosen, id])
  return (
    <fieldset className="flex flex-col gap-1.5">
      <legend className="sr-only">{kind === 'projects' ? 'Projects' : 'Applications'}</legend>
      <div className="flex max-h-48 flex-col gap-2 overflow-y-auto rounded-md border border-edge p-3">
        {!targets && !isError && <Skeleton className="h-5 w-40" />}
        {isError && !targets && <p className="text-sm text-muted">The list could not be loaded.</p>}
        {targets?.length === 0 && <p className="text-sm text-muted">This workspace has no {kind} yet.</p>}
        {targets?.map(({ id, name }) => (
          <Checkbox key={id} label={name} checked={chosen.includes(id)} onChange={() => toggle(id)} />
        ))}
      </div>
      {error && <p className="text-sm text-red-ink">{error}</p>}
    </fieldset>
  )
}
