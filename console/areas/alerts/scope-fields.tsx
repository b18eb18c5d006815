import { alertKinds, type AlertScope, scopesForKind } from '../../../contract/shared/alert-kinds.ts'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { Option } from '../../ui/form/select.tsx'
import type { AlertFieldsPartProps } from './alert-dialogs.tsx'
import { subjectsPlural } from './alert-texts.ts'
import { type ReactNode, useId } from 'react'
import { Checkbox, Radio } from '../../ui/form/checkbox.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import type { TypedField } from '../../lib/form/use-form.ts'

export function ScopeFields({
  draft,
  onChange,
  errors,
  choices,
}: AlertFieldsPartProps & { choices: AlertChoices }) {
  const { kind, scope } = draft
  const change = (after: Partial<typeof scope>) => onChange({ ...draft, scope: { ...scope, ...after } })
  const options = scopesForKind(kind).map((known) => ({ value: known, label: scopeLabel(known, kind) }))
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field label="Scope" error={errors['scope.kind']}>
        <Select
          name="scope.kind"
          options={options}
          value={scope.kind}
          onValueChange={(value) => {
            const picked = scopesForKind(kind).find((known) => known === value)
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

function scopeLabel(scope: AlertScope, kind: AlertFieldsPartProps['draft']['kind']): string {
  if (scope === 'all') return `All ${subjectsPlural(kind)}`
  if (scope === alertKinds[kind].subject) return `One ${scope}`
  if (scope === 'server') return `All ${subjectsPlural(kind)} on one server`
  return `All ${subjectsPlural(kind)} of one ${scope}`
}

export function ChannelFields(
  props: AlertFieldsPartProps & { channels: readonly AlertChannel[] | undefined },
) {
  const { draft, onChange, errors, channels } = props
  const id = useId()
  return (
    <fieldset className="flex min-w-0 flex-col gap-2" aria-describedby={errors['channels'] && `${id}-error`}>
      <legend className="mb-1.5 text-sm font-medium">Notify</legend>
      <Radio
        name="everybody"
        label="All channels, including future ones"
        checked={draft.everybody}
        onChange={() => onChange({ ...draft, everybody: true })}
      />
      <Radio
        name="everybody"
        label="Selected channels"
        checked={!draft.everybody}
        onChange={() => onChange({ ...draft, everybody: false })}
      />
      {!draft.everybody && (
        <div className="flex max-h-48 flex-col gap-2 overflow-y-auto pl-6.5">
          {!channels && <Skeleton className="h-5 w-32" />}
          {channels && draft.channels.length === 0 && (
            <p className="text-sm text-muted">
              {channels.length === 0
                ? 'No channels yet. Notifications are not sent.'
                : 'Select at least one channel to get notified.'}
            </p>
          )}
          {channels?.map((channel) => (
            <Checkbox
              key={channel.id}
              name="channels"
              label={<bdi className="wrap-anywhere">{channel.name}</bdi>}
              help={channel.help}
              checked={draft.channels.includes(channel.id)}
              onChange={({ target }) =>
                onChange({ ...draft, channels: turned(draft.channels, channel.id, target.checked) })
              }
            />
          ))}
        </div>
      )}
      {errors['channels'] && (
        <p id={`${id}-error`} className="text-sm text-red-ink">
          {errors['channels']}
        </p>
      )}
    </fieldset>
  )
}

function turned(channels: readonly string[], id: string, on: boolean) {
  const others = channels.filter((known) => known !== id)
  return on ? [...others, id] : others
}

/** Options that other areas load; a list is undefined while it loads. */
export interface AlertChoices {
  failure: Error | undefined
  servers: readonly Option[] | undefined
  projects: readonly Option[] | undefined
  applications: readonly Option[] | undefined
  channels: readonly AlertChannel[] | undefined
  renderContainer: (serverId: string, field: TypedField) => ReactNode
}

interface AlertChannel {
  id: string
  name: string
  help: string
}
