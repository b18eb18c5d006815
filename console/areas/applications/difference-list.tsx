import { Badge, type Tone } from '../../ui/badge.tsx'
import type { Difference } from './variable-difference.ts'

const words: Record<Difference['kind'], [tone: Tone, label: string]> = {
  added: ['green', 'Added'],
  changed: ['yellow', 'Changed'],
  removed: ['red', 'Removed'],
}

/** More names than this help nobody. */
const most = 200

/** What saving would do, by name. */
export function DifferenceList({ changes }: { changes: readonly Difference[] }) {
  if (changes.length === 0) return null
  return (
    <section aria-label="What changes" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-medium">What changes</h3>
      <ul className="grid max-h-72 gap-x-6 gap-y-1.5 overflow-y-auto sm:grid-cols-2">
        {changes.slice(0, most).map(({ key, kind }) => (
          <li key={key} className="flex items-baseline gap-2">
            <Badge tone={words[kind][0]}>{words[kind][1]}</Badge>
            <span className="min-w-0 font-mono text-sm wrap-anywhere" dir="ltr">
              {key}
            </span>
          </li>
        ))}
      </ul>
      {changes.length > most && <p className="text-sm text-muted">And {changes.length - most} more.</p>}
    </section>
  )
}
