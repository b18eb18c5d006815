import { classNames } from '../../ui/class-names.ts'
import { type Range, ranges } from './range.ts'

interface RangeChoiceProps {
  chosen: Range
  onChoose: (key: string) => void
}

export function RangeChoice({ chosen, onChoose }: RangeChoiceProps) {
  return (
    <fieldset aria-label="Range" className="flex rounded-md border border-line bg-subtle p-0.5">
      {ranges.map(({ key, label, says }) => (
        <button
          key={key}
          type="button"
          title={says}
          aria-pressed={key === chosen.key}
          onClick={() => onChoose(key === ranges[0].key ? '' : key)}
          className={classNames(
            'h-6 rounded-sm px-2 text-sm font-medium text-muted hover:text-ink max-sm:h-9 max-sm:px-3',
            'aria-pressed:bg-raised aria-pressed:text-ink aria-pressed:ring-1 aria-pressed:ring-line',
          )}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}
