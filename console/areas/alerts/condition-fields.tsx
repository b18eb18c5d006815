import type { ReactNode } from 'react'
import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { DurationInput } from '../../ui/form/duration-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import { type CheckDraft, withThreshold } from './alert-draft.ts'
import type { AlertFieldsPartProps } from './alert-dialogs.tsx'

export function ConditionFields(props: AlertFieldsPartProps) {
  const { draft } = props
  const { unit }: AlertKind = alertKinds[draft.kind]
  if (unit === 'times')
    return (
      <Row>
        <Threshold
          {...props}
          label="More than (times)"
          help="0 triggers the alert on the first occurrence."
        />
        <AlertDuration {...props} name="window_seconds" label="Within" />
      </Row>
    )
  if (unit === 'days')
    return (
      <Row>
        <Threshold
          {...props}
          label="Days left"
          help="Slipway renews certificates 30 days before they expire."
        />
      </Row>
    )
  if (unit === undefined)
    return (
      <Row>
        <Lasting {...props} />
      </Row>
    )
  return (
    <Row>
      <div className="grid grid-cols-2 gap-2">
        <Comparison {...props} />
        <Threshold
          {...props}
          label={unit === 'percent' ? 'Threshold (%)' : 'Threshold'}
          {...(unit === 'load' && { help: 'Load average per core.' })}
        />
      </div>
      <Lasting {...props} />
    </Row>
  )
}

const Row = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-4 sm:grid-cols-2">{children}</div>
)

const Comparison = ({ draft, onChange, errors }: AlertFieldsPartProps) => (
  <Field label="Condition" error={errors['comparison']}>
    <Select
      name="comparison"
      options={comparisons}
      value={draft.comparison}
      onValueChange={(value) =>
        onChange(withThreshold(draft, { comparison: value === 'below' ? 'below' : 'above' }))
      }
    />
  </Field>
)

const comparisons = [
  { value: 'above', label: 'above' },
  { value: 'below', label: 'below' },
]

interface ThresholdProps extends AlertFieldsPartProps {
  label: string
  help?: string
}

const Threshold = ({ draft, onChange, errors, label, help }: ThresholdProps) => (
  <Field label={label} help={help} error={errors['threshold']}>
    <Input
      name="threshold"
      value={draft.threshold}
      onChange={({ target }) => onChange(withThreshold(draft, { threshold: target.value }))}
      inputMode="decimal"
      autoComplete="off"
      className="tabular-nums"
    />
  </Field>
)

type DurationName = 'for_seconds' | 'clear_seconds' | 'window_seconds' | 'cooldown_seconds' | 'repeat_seconds'

interface AlertDurationProps extends AlertFieldsPartProps {
  name: DurationName
  label: string
  help?: string
}

export const AlertDuration = ({ draft, onChange, errors, name, label, help }: AlertDurationProps) => (
  <Field label={label} help={help} error={errors[name]}>
    <DurationInput
      name={name}
      label={label.toLowerCase()}
      value={draft[name]}
      onChange={(after) => onChange({ ...draft, [name]: after })}
    />
  </Field>
)

const Lasting = (props: AlertFieldsPartProps) => (
  <AlertDuration {...props} name="for_seconds" label="For" help="0 triggers the alert immediately." />
)

export function CheckFields(props: AlertFieldsPartProps) {
  const { draft, onChange, errors } = props
  const change = (after: Partial<CheckDraft>) => onChange({ ...draft, check: { ...draft.check, ...after } })
  const text = (field: 'path' | 'status' | 'latency_ms' | 'contains') => ({
    name: `check.${field}`,
    value: draft.check[field],
    onChange: ({ target }: { target: { value: string } }) => change({ [field]: target.value }),
    autoComplete: 'off',
    spellCheck: false,
  })
  return (
    <div className="grid gap-4 sm:grid-cols-2">
      <Field
        label="Path"
        help="Slipway requests this path from one domain of each application, preferably one that points to its server."
        error={errors['check.path']}
      >
        <Input {...text('path')} mono placeholder="/" />
      </Field>
      <Field
        label="Expected status codes"
        help="Codes or ranges, such as 200 or 2xx, 3xx. Redirects are not followed."
        error={errors['check.status']}
      >
        <Input {...text('status')} mono placeholder="2xx, 3xx" />
      </Field>
      <Field
        label="Response time limit (ms)"
        optional
        help="Slower responses fail the check."
        error={errors['check.latency_ms']}
      >
        <Input {...text('latency_ms')} inputMode="numeric" />
      </Field>
      <Field label="Response body contains" optional error={errors['check.contains']}>
        <Input {...text('contains')} />
      </Field>
      <Field label="Interval" error={errors['check.every_seconds']}>
        <DurationInput
          name="check.every_seconds"
          label="interval"
          value={draft.check.every_seconds}
          onChange={(after) => change({ every_seconds: after })}
        />
      </Field>
      <Lasting {...props} />
    </div>
  )
}
