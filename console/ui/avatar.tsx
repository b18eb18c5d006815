import { classNames } from './class-names.ts'
import { initials } from './format/initials.ts'

interface AvatarProps {
  name: string
  /** Square for workspaces, round for users. */
  square?: boolean
}

export function Avatar({ name, square }: AvatarProps) {
  return (
    <span
      aria-hidden
      className={classNames(
        'flex size-6 shrink-0 items-center justify-center text-[11px] font-semibold select-none',
        square ? 'rounded-md bg-accent text-on-accent' : 'rounded-full bg-accent-soft text-accent-ink',
      )}
    >
      {initials(name) || '·'}
    </span>
  )
}
