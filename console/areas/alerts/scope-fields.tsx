import { type AlertScope, alertKinds, scopesForKind } from '../../../contract/shared/alert-kinds.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Option } from '../../ui/form/select-list.tsx'
import type { AlertChoices } from './alert-choices.ts'
import type { AlertFieldsPartProps } from './alert-fields.tsx'
import { subjectsPlural } from './alert-texts.ts'

export function ScopeFields({
  draft,
  onChange,
  errors,
  choices,
}: AlertFieldsPartProps & { choices: AlertChoices }) {
  const { kind, scope } = draft
  const change = (after: Partial<typeof scope>) => onChange({ ...draft, scope: { ...scope, ...after } })
  const options = scopesForKind(kind).map((one) => ({ value: one, label: scopeLabel(one, kind) }))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Scope" error={errors['scope.kind']}>
        <Select
          name="scope.kind"
          options={options}
          value={scope.kind}
          onValueChange={(value) => {
            const picked = scopesForKind(kind).find((one) => one === value)
            if (picked) onChange({ ...draft, scope: { kind: picked, id: '', container: '' } })
          }}
        />
      </Field>
      {scope.kind !== 'all' && (
        <Target
          kind={scope.kind}
          value={scope.id}
          options={targetsOf(scope.kind, choices)}
          error={errors['scope.id']}
          onChange={(id) => change({ id, container: '' })}
        />
      )}
      {scope.kind === 'container' &&
        scope.id !== '' &&
        choices.renderContainer(scope.id, {
          name: 'scope.container',
          value: scope.container,
          onChange: (container) => change({ container }),
          error: errors['scope.container'],
        })}
    </div>
  )
}

interface TargetProps {
  kind: Exclude<AlertScope, 'all'>
  value: string
  /** Undefined while loading. */
  options: readonly Option[] | undefined
  error: string | undefined
  onChange: (id: string) => void
}

function Target({ kind, value, options = [], error, onChange }: TargetProps) {
  const things = kind === 'container' ? 'server' : kind
  const isKnown = options.some((option) => option.value === value)
  const other = isKnown
    ? []
    : [{ value, label: value === '' ? `Choose ${chooses[things]}…` : 'Deleted resource' }]
  return (
    <Field label={labels[things]} error={error}>
      <Select name="scope.id" options={[...other, ...options]} value={value} onValueChange={onChange} />
    </Field>
  )
}

const labels = { server: 'Server', project: 'Project', application: 'Application' }
const chooses = { server: 'a server', project: 'a project', application: 'an application' }

const targetsOf = (kind: AlertScope, { servers, projects, applications }: AlertChoices) =>
  kind === 'project' ? projects : kind === 'application' ? applications : servers

/** For example "All containers" or "A single container". */
function scopeLabel(scope: AlertScope, kind: AlertFieldsPartProps['draft']['kind']): string {
  if (scope === 'all') return `All ${subjectsPlural(kind)}`
  if (scope === alertKinds[kind].subject) return `One ${scope}`
  if (scope === 'server') return `All ${subjectsPlural(kind)} on one server`
  return `All ${subjectsPlural(kind)} of one ${scope}`
}
