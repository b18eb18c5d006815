import { DurationInput } from '../../ui/form/duration-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import type { CheckDraft } from './alert-draft.ts'
import type { AlertFieldsPartProps } from './alert-fields.tsx'
import { DurationField } from './condition-fields.tsx'

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
        help="Requested on the first domain of each application whose DNS points to its server."
        error={errors['check.path']}
      >
        <Input {...text('path')} mono placeholder="/" />
      </Field>
      <Field
        label="Expected statuses"
        help="For example 200 or 2xx, 3xx. Redirects are not followed."
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
      <Field label="Response contains" optional error={errors['check.contains']}>
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
      <DurationField {...props} />
    </div>
  )
}
