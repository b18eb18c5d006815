import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { DurationInput } from '../../ui/form/duration-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { CollapsibleSection } from '../../ui/collapsible-section.tsx'
import { Input } from '../../ui/form/input.tsx'
import type { AlertFieldsPartProps } from './alert-fields.tsx'
import { MaintenanceWindowFields } from './maintenance-window-fields.tsx'

/** Settings against flapping and repetition, which most users leave at their defaults. */
export function AdvancedFields(props: AlertFieldsPartProps) {
  const { draft, onChange, errors } = props
  const { unit }: AlertKind = alertKinds[draft.kind]
  return (
    <CollapsibleSection title="Advanced" about="Recovery, reminders and maintenance windows">
      <div className="grid gap-4 sm:grid-cols-2">
        {(unit === 'percent' || unit === 'load') && (
          <Field
            label={`Resolve when ${draft.comparison === 'above' ? 'below' : 'above'}${unit === 'percent' ? ' (%)' : ''}`}
            optional
            help="Prevents flapping when the value stays close to the threshold."
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
        <Field label="Resolve after" help="Avoids resolving on a short dip." error={errors['clear_seconds']}>
          <DurationInput
            name="clear_seconds"
            label="resolve after"
            value={draft.clear_seconds}
            onChange={(after) => onChange({ ...draft, clear_seconds: after })}
          />
        </Field>
        <Field
          label="Cooldown"
          help="Don’t notify again within this time."
          error={errors['cooldown_seconds']}
        >
          <DurationInput
            name="cooldown_seconds"
            label="cooldown"
            value={draft.cooldown_seconds}
            onChange={(after) => onChange({ ...draft, cooldown_seconds: after })}
          />
        </Field>
        <div className="col-span-full flex flex-col gap-3">
          <Checkbox
            label="Send reminders while the alert is active"
            checked={draft.repeats}
            onChange={({ target }) => onChange({ ...draft, repeats: target.checked })}
          />
          {draft.repeats && (
            <div className="sm:w-1/2 sm:pr-2">
              <Field label="Every" error={errors['repeat_seconds']}>
                <DurationInput
                  name="repeat_seconds"
                  label="every"
                  value={draft.repeat_seconds}
                  onChange={(after) => onChange({ ...draft, repeat_seconds: after })}
                />
              </Field>
            </div>
          )}
        </div>
        <MaintenanceWindowFields {...props} />
      </div>
    </CollapsibleSection>
  )
}
