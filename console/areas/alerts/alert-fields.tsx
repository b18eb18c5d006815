import { type AlertKind, alertKindNames, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { AdvancedFields } from './advanced-fields.tsx'
import { proposedName } from './alert-body.ts'
import type { AlertChoices } from './alert-choices.ts'
import { type AlertDraft, withKind } from './alert-draft.ts'
import { severityTexts } from './alert-texts.ts'
import { ChannelFields } from './channel-fields.tsx'
import { CheckFields } from './check-fields.tsx'
import { ConditionFields } from './condition-fields.tsx'
import { PreviewChart } from './preview-chart.tsx'
import { ScopeFields } from './scope-fields.tsx'

export interface AlertFieldsPartProps {
  draft: AlertDraft
  onChange: (draft: AlertDraft) => void
  errors: Readonly<Record<string, string>>
}

interface AlertFieldsProps extends AlertFieldsPartProps {
  choices: AlertChoices
  /** The kind of an existing alert cannot change. */
  made?: boolean
}

/** Field rules of useForm; the draft holds the values. */
export const alertFields = { name: 'optional' } as const

export function AlertFields({ choices, made = false, ...part }: AlertFieldsProps) {
  const { draft, onChange, errors } = part
  const kind: AlertKind = alertKinds[draft.kind]
  return (
    <>
      <div className="grid gap-4 sm:grid-cols-2">
        {!made && (
          <Field label="Metric" help={kind.description} error={errors['kind']}>
            <Select
              name="kind"
              options={kindOptions}
              value={draft.kind}
              onValueChange={(value) => {
                const picked = alertKindNames.find((one) => one === value)
                if (picked) onChange(withKind(draft, picked))
              }}
            />
          </Field>
        )}
        <Field label="Name" optional={!made} help="Used as the message title." error={errors['name']}>
          <Input
            name="name"
            value={draft.name}
            onChange={({ target }) => onChange({ ...draft, name: target.value })}
            placeholder={proposedName(draft)}
            autoComplete="off"
          />
        </Field>
        {made && <Severities {...part} />}
      </div>
      <ScopeFields {...part} choices={choices} />
      {draft.kind === 'http_check' ? <CheckFields {...part} /> : <ConditionFields {...part} />}
      <PreviewChart draft={draft} />
      <div className="grid gap-4 sm:grid-cols-2">
        <ChannelFields {...part} channels={choices.channels} />
        {!made && <Severities {...part} />}
      </div>
      <AdvancedFields {...part} />
    </>
  )
}

const Severities = ({ draft, onChange, errors }: AlertFieldsPartProps) => (
  <Field label="Severity" help={severityTexts[draft.severity].help} error={errors['severity']}>
    <Select
      name="severity"
      options={severityOptions}
      value={draft.severity}
      onValueChange={(value) => {
        const picked = severityNames.find((one) => one === value)
        if (picked) onChange({ ...draft, severity: picked })
      }}
    />
  </Field>
)

const kindOptions = alertKindNames.map((name) => ({ value: name, label: alertKinds[name].label }))
const severityNames = ['critical', 'warning', 'info'] as const
const severityOptions = severityNames.map((name) => ({ value: name, ...severityTexts[name] }))
