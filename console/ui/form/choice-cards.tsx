import { type ReactNode, useId } from 'react'
import { classNames } from '../class-names.ts'

interface Choice {
  value: string
  title: ReactNode
  text?: ReactNode
  disabled?: boolean
}

interface ChoiceCardsProps {
  name: string
  legend: string
  options: readonly Choice[]
  value: string
  onChange: (value: string) => void
  error?: string | undefined
  columns?: 2 | 3 | 4
  /** Shows two columns on phones, for short options. */
  short?: boolean
}

const grids = { 2: 'sm:grid-cols-2', 3: 'sm:grid-cols-3', 4: 'sm:grid-cols-3 lg:grid-cols-4' }

/** Radio buttons as cards, for a few options. Use a Select for many. */
export function ChoiceCards(props: ChoiceCardsProps) {
  const { name, legend, options, value, onChange, error, columns = 3, short = false } = props
  const faultId = useId()
  return (
    <fieldset aria-describedby={error && faultId} className="flex min-w-0 flex-col gap-2">
      <legend className="sr-only">{legend}</legend>
      <div className={classNames('grid gap-2', grids[columns], short && 'max-sm:grid-cols-2')}>
        {options.map((option) => (
          <ChoiceCard
            key={option.value}
            name={name}
            option={option}
            checked={option.value === value}
            invalid={error !== undefined}
            onChoose={() => onChange(option.value)}
          />
        ))}
      </div>
      {error && (
        <p id={faultId} className="text-sm text-red-ink">
          {error}
        </p>
      )}
    </fieldset>
  )
}

interface ChoiceCardProps {
  name: string
  option: Choice
  checked: boolean
  invalid: boolean
  onChoose: () => void
}

function ChoiceCard({ name, option, checked, invalid, onChoose }: ChoiceCardProps) {
  const id = useId()
  const { value, title, text, disabled = false } = option
  return (
    <label
      className={classNames(
        'flex min-w-0 items-start gap-2.5 rounded-lg border border-line bg-raised p-3',
        'has-checked:border-accent-ink has-checked:bg-accent-soft has-data-invalid:border-red',
        disabled ? 'bg-subtle' : 'hover:border-edge',
      )}
    >
      <input
        type="radio"
        {...{ name, value, checked, disabled }}
        onChange={onChoose}
        aria-labelledby={`${id}-title`}
        aria-describedby={text === undefined ? undefined : `${id}-text`}
        data-invalid={(invalid && !disabled) || undefined}
        className="mt-0.5 size-4 shrink-0 accent-accent max-sm:size-5"
      />
      <span className="flex min-w-0 flex-1 flex-col gap-0.5">
        <span
          id={`${id}-title`}
          className={classNames('font-medium wrap-anywhere', disabled && 'text-muted')}
        >
          {title}
        </span>
        {text !== undefined && (
          <span id={`${id}-text`} className="text-sm text-muted wrap-anywhere">
            {text}
          </span>
        )}
      </span>
    </label>
  )
}
