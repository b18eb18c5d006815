import type { ComponentType } from 'react'

interface Option {
  value: string
  label: string
  icon: ComponentType<{ className?: string }>
}

interface SegmentedChoiceProps {
  name: string
  legend: string
  options: readonly Option[]
  value: string
  onChange: (value: string) => void
}

/** Radio buttons in one row, for a few short options that change the fields below. */
export const SegmentedChoice = ({ name, legend, options, value, onChange }: SegmentedChoiceProps) => (
  <fieldset>
    <legend className="sr-only">{legend}</legend>
    <div className="grid auto-cols-fr grid-flow-col gap-1 rounded-lg border border-line bg-subtle p-1">
      {options.map(({ value: option, label, icon: Icon }) => (
        <label
          key={option}
          className="relative flex h-8 items-center justify-center gap-2 rounded-md border border-transparent px-2 text-center font-medium text-muted hover:text-ink has-checked:border-edge has-checked:bg-raised has-checked:text-ink has-focus-visible:outline-2 has-focus-visible:outline-offset-1 has-focus-visible:outline-accent-ink max-sm:h-16 max-sm:flex-col max-sm:gap-1 max-sm:px-1 max-sm:text-xs"
        >
          <input
            type="radio"
            name={name}
            value={option}
            checked={value === option}
            onChange={() => onChange(option)}
            className="absolute inset-0 opacity-0"
          />
          <span className="flex shrink-0" aria-hidden>
            <Icon className="size-4" />
          </span>
          {label}
        </label>
      ))}
    </div>
  </fieldset>
)
