import { Plus, Trash2 } from 'lucide-react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import { Select } from '../../ui/form/select.tsx'
import type { AlertFieldsPartProps } from './alert-dialogs.tsx'
import { type MaintenanceWindowDraft, newWindowDraft, weekdays } from './maintenance-window-draft.ts'
import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/form/combobox.tsx'

export function MaintenanceWindowFields({ draft, onChange, errors }: AlertFieldsPartProps) {
  const put = (windows: readonly MaintenanceWindowDraft[]) => onChange({ ...draft, windows })
  return (
    <fieldset className="col-span-full flex min-w-0 flex-col gap-3">
      <legend className="mb-1.5 text-sm font-medium">Maintenance windows</legend>
      <p className="text-sm text-muted">
        Notifications are held during these windows and sent afterwards if the alert is still firing.
      </p>
      {draft.windows.map((window, at) => (
        <WindowFields
          key={window.key}
          at={at}
          window={window}
          errors={errors}
          onChange={(after) => put(draft.windows.with(at, { ...window, ...after }))}
          onRemove={() => put(draft.windows.toSpliced(at, 1))}
        />
      ))}
      {errors['windows'] && <p className="text-sm text-red-ink">{errors['windows']}</p>}
      <Button className="self-start" onClick={() => put([...draft.windows, newWindowDraft()])}>
        <Plus aria-hidden />
        Add window
      </Button>
    </fieldset>
  )
}

export interface WindowFieldsProps {
  at: number
  window: MaintenanceWindowDraft
  errors: AlertFieldsPartProps['errors']
  onChange: (after: Partial<MaintenanceWindowDraft>) => void
}

function WindowFields(props: WindowFieldsProps & { onRemove: () => void }) {
  const { at, window, errors, onChange, onRemove } = props
  const number = at + 1
  return (
    <div
      // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset would draw its legend across the border
      role="group"
      aria-label={`Window ${number}`}
      className="flex flex-col gap-3 rounded-md border border-line p-3"
    >
      <div className="flex items-end gap-2">
        <div className="min-w-0 flex-1">
          <Select
            aria-label={`Schedule of window ${number}`}
            options={kinds}
            value={window.kind}
            onValueChange={(value) => onChange({ kind: value === 'once' ? 'once' : 'weekly' })}
          />
        </div>
        <Button variant="ghost" icon aria-label={`Remove window ${number}`} onClick={onRemove}>
          <Trash2 aria-hidden />
        </Button>
      </div>
      {window.kind === 'weekly' ? <WeeklyWindowFields {...props} /> : <OnceFields {...props} />}
      {errors[`windows.${at}`] && <p className="text-sm text-red-ink">{errors[`windows.${at}`]}</p>}
    </div>
  )
}

const kinds = [
  { value: 'weekly', label: 'Every week' },
  { value: 'once', label: 'Once' },
]

const OnceFields = ({ at, window, errors, onChange }: WindowFieldsProps) => (
  <div className="grid gap-3 sm:grid-cols-2">
    <Field label="From" error={errors[`windows.${at}.from`]}>
      <Input
        name={`windows.${at}.from`}
        type="datetime-local"
        value={window.begins}
        onChange={({ target }) => onChange({ begins: target.value })}
      />
    </Field>
    <Field label="To" error={errors[`windows.${at}.to`]}>
      <Input
        name={`windows.${at}.to`}
        type="datetime-local"
        value={window.ends}
        onChange={({ target }) => onChange({ ends: target.value })}
      />
    </Field>
  </div>
)

function WeeklyWindowFields({ at, window, errors, onChange }: WindowFieldsProps) {
  const place = `windows.${at}`
  return (
    <>
      <Days {...{ at, window, errors, onChange }} />
      <div className="grid gap-3 sm:grid-cols-[8.5rem_8.5rem_1fr]">
        <Field label="From" error={errors[`${place}.from`]}>
          <Input
            name={`${place}.from`}
            type="time"
            value={window.from}
            onChange={({ target }) => onChange({ from: target.value })}
          />
        </Field>
        <Field
          label="To"
          error={errors[`${place}.to`]}
          {...(window.to < window.from && { help: 'Ends the next day.' })}
        >
          <Input
            name={`${place}.to`}
            type="time"
            value={window.to}
            onChange={({ target }) => onChange({ to: target.value })}
          />
        </Field>
        <Field label="Time zone" error={errors[`${place}.timezone`]}>
          <Combobox
            name={`${place}.timezone`}
            label="Time zones"
            options={zones}
            value={window.timezone}
            onChange={(timezone) => onChange({ timezone })}
          />
        </Field>
      </div>
    </>
  )
}

const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]

function Days({ at, window, errors, onChange }: WindowFieldsProps) {
  const error = errors[`windows.${at}.days`]
  const turn = (day: number) =>
    onChange({
      days: window.days.includes(day)
        ? window.days.filter((selected) => selected !== day)
        : [...window.days, day],
    })
  return (
    <div className="flex flex-col gap-1.5">
      <div className="grid max-w-80 grid-cols-7 gap-1">
        {weekdays.map(({ day, short, name }) => (
          <button
            key={day}
            type="button"
            name={`windows.${at}.days`}
            aria-label={name}
            aria-pressed={window.days.includes(day)}
            onClick={() => turn(day)}
            className={classNames(
              'h-8 rounded-md border border-edge text-sm font-medium text-muted hover:bg-hover max-sm:h-10',
              'aria-pressed:border-accent-ink aria-pressed:bg-accent-soft aria-pressed:text-ink',
            )}
          >
            {short}
          </button>
        ))}
      </div>
      {error && <p className="text-sm text-red-ink">{error}</p>}
    </div>
  )
}
