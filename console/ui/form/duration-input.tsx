import { type Duration, durationUnits, readUnit } from '../format/duration.ts'
import { SecondaryControl } from './field.tsx'
import { Input } from './input.tsx'
import { Select } from './select.tsx'

interface DurationInputProps {
  name: string
  value: Duration
  onChange: (value: Duration) => void
  label: string
}

const options = durationUnits.map((unit) => ({ value: unit, label: unit }))

export function DurationInput({ name, value, onChange, label }: DurationInputProps) {
  return (
    <div className="flex gap-2">
      <Input
        name={name}
        value={value.amount}
        onChange={({ target }) => onChange({ ...value, amount: target.value })}
        inputMode="decimal"
        autoComplete="off"
        className="min-w-0 tabular-nums"
      />
      <SecondaryControl>
        <Select
          aria-label={`Unit of ${label}`}
          options={options}
          value={value.unit}
          onValueChange={(picked) => onChange({ ...value, unit: readUnit(picked) ?? value.unit })}
          className="w-28! shrink-0"
        />
      </SecondaryControl>
    </div>
  )
}
