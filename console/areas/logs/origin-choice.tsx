import { type OutputOrigin, outputOrigins } from '../../../contract/shared/output-origins.ts'
import { classNames } from '../../ui/class-names.ts'

export const originLabels: Record<OutputOrigin, string> = {
  slipway: 'Deployment',
  build: 'Build',
  container: 'Container',
}

interface OriginChoiceProps {
  /** Origins without lines in the log are not offered. */
  origins: ReadonlySet<OutputOrigin>
  value: OutputOrigin | undefined
  onChange: (origin: OutputOrigin | '') => void
}

/** Shows the lines of Slipway or of programs only. */
export function OriginChoice({ origins, value, onChange }: OriginChoiceProps) {
  if (origins.size === 0) return null
  const choices = [
    ['', 'All'],
    ...outputOrigins
      .filter((origin) => origin !== 'build' || origins.has('build') || value === 'build')
      .map((origin) => [origin, originLabels[origin]] as const),
  ] as const
  return (
    <fieldset aria-label="Output" className="flex rounded-md border border-line bg-page p-0.5">
      {choices.map(([origin, label]) => (
        <button
          key={origin}
          type="button"
          aria-pressed={origin === (value ?? '')}
          onClick={() => onChange(origin)}
          className={choiceClasses}
        >
          {label}
        </button>
      ))}
    </fieldset>
  )
}

const choiceClasses = classNames(
  'h-6 rounded-sm px-2 text-sm font-medium text-muted hover:text-ink max-sm:h-9 max-sm:px-2.5',
  'aria-pressed:bg-pressed aria-pressed:text-ink',
)
