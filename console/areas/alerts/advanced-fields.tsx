import { type AlertKind, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import { Checkbox } from '../../ui/form/checkbox.tsx'
import { DurationInput } from '../../ui/form/duration-input.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Folded } from '../../ui/folded.tsx'
import { Input } from '../../ui/form/input.tsx'
import type { PartProps } from './alert-fields.tsx'
import { QuietFields } from './quiet-fields.tsx'

/** What keeps it from flapping and repeating itself; most leave it as it is. */
export function AdvancedFields(props: PartProps) {
  const { draft, onChange, errors } = props
  const { unit }: AlertKind = alertKinds[draft.kind]
  return (
    <Folded title="Advanced" about="When it is over, how often it is told, when it is quiet">
      <div className="grid gap-4 sm:grid-cols-2">
        {(unit === 'percent' || unit === 'load') && (
          <Field
            label={`Over when it is ${draft.comparison === 'above' ? 'below' : 'above'}${unit === 'percent' ? ' (%)' : ''}`}
            optional
            help="A little away from the threshold, so that a value around it does not flap."
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
        <Field
          label="Over once it is well for"
          help="What is well for a moment only is not over."
          error={errors['clear_seconds']}
        >
          <DurationInput
            name="clear_seconds"
            label="over once it is well for"
            value={draft.clear_seconds}
            onChange={(after) => onChange({ ...draft, clear_seconds: after })}
          />
        </Field>
        <Field
          label="Not told again within"
          help="When the same begins again so soon after somebody was told."
          error={errors['cooldown_seconds']}
        >
          <DurationInput
            name="cooldown_seconds"
            label="not told again within"
            value={draft.cooldown_seconds}
            onChange={(after) => onChange({ ...draft, cooldown_seconds: after })}
          />
        </Field>
        <div className="col-span-full flex flex-col gap-3">
          <Checkbox
            label="Tell again while it lasts"
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
        <QuietFields {...props} />
      </div>
    </Folded>
  )
}
