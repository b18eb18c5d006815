import { classNames } from '../../ui/class-names.ts'
import { initials } from '../../ui/format/initials.ts'
import { logos } from './logos.ts'

interface TemplateLogoProps {
  template: { name: string; logo: string | null }
  large?: boolean
}

/** Icon in the text color, for both themes; otherwise initials. */
export function TemplateLogo({ template: { name, logo }, large }: TemplateLogoProps) {
  const mark = logo === null ? undefined : logos[logo]
  return (
    <span
      aria-hidden
      className={classNames(
        'flex shrink-0 items-center justify-center rounded-lg border border-line bg-subtle font-semibold text-muted',
        large ? 'size-12 text-base' : 'size-9 text-xs',
      )}
    >
      {mark ? (
        <svg viewBox="0 0 24 24" className={classNames('fill-ink', large ? 'size-7' : 'size-5')}>
          <path d={mark.path} />
        </svg>
      ) : (
        initials(name)
      )}
    </span>
  )
}
