import { Badge, type Tone } from '../../../ui/badge.tsx'
import type { VariableChange } from './variable-difference.ts'

const words: Record<VariableChange['kind'], [tone: Tone, label: string]> = {
  added: ['green', 'Added'],
  changed: ['yellow', 'Changed'],
  removed: ['red', 'Removed'],
}

const most = 200

/** Names what saving adds, changes and removes, without values. */
export function VariableChanges({ changes }: { changes: readonly VariableChange[] }) {
  if (changes.length === 0) return null
  return (
    <section aria-label="Changes" className="flex flex-col gap-2 border-t border-line pt-4">
      <h3 className="text-sm font-medium">Changes</h3>
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
