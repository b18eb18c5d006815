import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'

export type Tone = 'green' | 'red' | 'yellow' | 'neutral'

const tones: Record<Tone, [body: string, dot: string]> = {
  green: ['bg-green-soft text-green-ink', 'bg-green'],
  red: ['bg-red-soft text-red-ink', 'bg-red'],
  yellow: ['bg-yellow-soft text-yellow-ink', 'bg-yellow'],
  neutral: ['bg-hover text-muted', 'bg-faint'],
}

/** Status label with a colored dot. */
export function Badge({ tone, children }: { tone: Tone; children: ReactNode }) {
  const [body, dot] = tones[tone]
  return (
    <span
      data-tone={tone}
      className={classNames(
        'inline-flex h-5 items-center gap-1.5 rounded-full px-2 text-xs font-medium whitespace-nowrap',
        body,
      )}
    >
      <span className={classNames('size-1.5 rounded-full', dot)} aria-hidden />
      {children}
    </span>
  )
}
