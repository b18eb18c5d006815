import { classNames } from '../../ui/class-names.ts'
import { Combobox } from '../../ui/form/combobox.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Input } from '../../ui/form/input.tsx'
import type { WindowFieldsProps } from './maintenance-window-fields.tsx'
import { weekdays } from './maintenance-window-draft.ts'

export function WeeklyWindowFields({ at, window, errors, onChange }: WindowFieldsProps) {
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
          {...(window.to < window.from && { help: 'Ends the next day' })}
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
      days: window.days.includes(day) ? window.days.filter((one) => one !== day) : [...window.days, day],
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
