import { type OutputOrigin, outputOrigins } from '../../../contract/shared/output-origins.ts'
import { classNames } from '../../ui/class-names.ts'

export const originLabels: Record<OutputOrigin, string> = {
  slipway: 'Deployment',
  build: 'Build',
  container: 'Container',
}

interface OriginChoiceProps {
  /** Origins of the lines in the log. “Build” is offered only if it is one of them, because many deployments build nothing. */
  origins: ReadonlySet<OutputOrigin>
  value: OutputOrigin | undefined
  onChange: (origin: OutputOrigin | '') => void
}

/** Limits the log to the lines of one origin. */
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
