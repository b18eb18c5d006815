import { classNames } from './class-names.ts'

interface AvatarProps {
  name: string
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

/** Shows at most two initials: "Ada Lovelace" → "AL", "ada" → "A". */
export function initials(name: string): string {
  const words = name.split(/[\s._@-]+/).filter((word) => /[\p{L}\p{N}]/u.test(word))
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return picked.map((word) => (/[\p{L}\p{N}]/u.exec(word ?? '')?.[0] ?? '').toUpperCase()).join('')
}
