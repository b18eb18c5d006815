import { useState } from 'react'
import { toast } from 'sonner'
import { FormDialog } from '../../lib/form/form-dialog.tsx'
import { proposedName, readAlert } from './alert-body.ts'
import { type AlertChoices, ChannelFields, ScopeFields } from './scope-fields.tsx'
import { type AlertDraft, newAlertDraft, toAlertDraft, withKind } from './alert-draft.ts'
import { type AlertKind, alertKindNames, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { type Alert, useCreateAlert, useUpdateAlert } from './queries.ts'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { severityTexts } from './alert-texts.ts'
import { CheckFields, ConditionFields, AlertDuration } from './condition-fields.tsx'
import { PreviewChart } from './preview-chart.tsx'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { CollapsibleSection } from '../../ui/card.tsx'
import { MaintenanceWindowFields } from './maintenance-window-fields.tsx'
import { ErrorText } from '../../ui/problem.tsx'

interface NewAlertDialogProps {
  choices: AlertChoices
  onClose: () => void
}

export function NewAlertDialog({ choices, onClose }: NewAlertDialogProps) {
  const create = useCreateAlert()
  const [draft, setDraft] = useState(() => newAlertDraft('cpu'))
  return (
    <FormDialog
      wide
      title="New alert"
      description="Notifies your channels when it triggers and when it resolves."
      fields={alertFields}
      action="Create alert"
      pending="Creating…"
      save={async ({ name }) => {
        await create.mutateAsync(readAlert({ ...draft, name }))
        toast.success('Alert created')
      }}
      onClose={onClose}
    >
      {(errors) => <AlertFields {...{ draft, errors, choices }} onChange={setDraft} />}
    </FormDialog>
  )
}

export function EditAlertDialog({ alert, choices, onClose }: NewAlertDialogProps & { alert: Alert }) {
  const update = useUpdateAlert(alert.id)
  const [draft, setDraft] = useState(() => toAlertDraft(alert))
  return (
    <FormDialog
      wide
      title={`Edit ${alert.name}`}
      description={alertKinds[alert.kind].description}
      fields={alertFields}
      action="Save"
      save={async ({ name }) => {
        const { kind: _, ...change } = readAlert({ ...draft, name })
        await update.mutateAsync(change)
        toast.success('Alert saved')
      }}
      onClose={onClose}
    >
      {(errors) => <AlertFields {...{ draft, errors, choices }} made onChange={setDraft} />}
    </FormDialog>
  )
}

export interface AlertFieldsPartProps {
  draft: AlertDraft
  onChange: (draft: AlertDraft) => void
  errors: Readonly<Record<string, string>>
}

interface AlertFieldsProps extends AlertFieldsPartProps {
  choices: AlertChoices
  /** Locks the field “Metric”, because the kind of an existing alert cannot change. */
  made?: boolean
}

const alertFields = { name: 'optional' } as const

function AlertFields({ choices, made = false, ...part }: AlertFieldsProps) {
  const { draft, onChange, errors } = part
  const kind: AlertKind = alertKinds[draft.kind]
  return (
    <>
      {choices.failure && <ErrorText error={choices.failure} />}
      <div className="grid gap-4 sm:grid-cols-2">
        {!made && (
          <Field label="Metric" help={kind.description} error={errors['kind']}>
            <Select
              name="kind"
              options={kindOptions}
              value={draft.kind}
              onValueChange={(value) => {
                const picked = alertKindNames.find((known) => known === value)
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
        const picked = severityNames.find((known) => known === value)
        if (picked) onChange({ ...draft, severity: picked })
      }}
    />
  </Field>
)

const kindOptions = alertKindNames.map((name) => ({ value: name, label: alertKinds[name].label }))
const severityNames = ['critical', 'warning', 'info'] as const
const severityOptions = severityNames.map((name) => ({ value: name, ...severityTexts[name] }))

/** Fields against flapping and repetition. They are collapsed because most users keep the defaults. */
function AdvancedFields(props: AlertFieldsPartProps) {
  const { draft, onChange, errors } = props
  const { unit }: AlertKind = alertKinds[draft.kind]
  return (
    <CollapsibleSection title="Advanced" about="Resolution, cooldown, reminders and maintenance windows">
      <div className="grid gap-4 sm:grid-cols-2">
        {(unit === 'percent' || unit === 'load') && (
          <Field
            label={`Resolve when ${draft.comparison === 'above' ? 'below' : 'above'}${unit === 'percent' ? ' (%)' : ''}`}
            optional
            help="Prevents flapping when the value is close to the threshold."
            error={errors['clear_threshold']}
          >
            <Input
              name="clear_threshold"
              value={draft.clear_threshold}
              onChange={({ target }) => onChange({ ...draft, clear_threshold: target.value })}
              placeholder={draft.threshold}
              inputMode="decimal"
              autoComplete="off"
              className="tabular-nums"
            />
          </Field>
        )}
        <AlertDuration
          {...props}
          name="clear_seconds"
          label="Resolve after"
          help="How long the condition must be clear before the alert resolves."
        />
        <AlertDuration
          {...props}
          name="cooldown_seconds"
          label="Cooldown"
          help="Minimum time between notifications."
        />
        <div className="col-span-full flex flex-col gap-3">
          <Checkbox
            label="Send reminders while the alert is firing"
            checked={draft.repeats}
            onChange={({ target }) => onChange({ ...draft, repeats: target.checked })}
          />
          {draft.repeats && (
            <div className="sm:w-1/2 sm:pr-2">
              <AlertDuration {...props} name="repeat_seconds" label="Every" />
            </div>
          )}
        </div>
        <MaintenanceWindowFields {...props} />
      </div>
    </CollapsibleSection>
  )
}
