import type { ReactNode } from 'react'
import { classNames } from './class-names.ts'
import { Time } from './time.tsx'
import { AddressText } from '../lib/address.tsx'

export type Tone = 'green' | 'red' | 'yellow' | 'neutral'

const tones: Record<Tone, [body: string, dot: string]> = {
  green: ['bg-green-soft text-green-ink', 'bg-green'],
  red: ['bg-red-soft text-red-ink', 'bg-red'],
  yellow: ['bg-yellow-soft text-yellow-ink', 'bg-yellow'],
  neutral: ['bg-hover text-muted', 'bg-faint'],
}

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

interface CheckedStateProps {
  error: string | null
  at: string | null
  words: { refused: string; untried: string }
}

/** Shows whether credentials work and when they were last checked. */
export function CheckedState({ error, at, words }: CheckedStateProps) {
  if (error !== null)
    return (
      <span className="flex flex-col items-start gap-1 py-2 max-sm:py-0">
        <Badge tone="red">{words.refused}</Badge>
        <span className="text-sm wrap-anywhere text-muted">
          <AddressText>{error}</AddressText>
        </span>
      </span>
    )
  if (at === null) return <Badge tone="neutral">{words.untried}</Badge>
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <Badge tone="green">Works</Badge>
      <span className="text-sm text-muted">
        <Time at={at} />
      </span>
    </span>
  )
}
