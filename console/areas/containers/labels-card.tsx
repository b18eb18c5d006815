import { Card } from '../../ui/card.tsx'
import { Masked } from '../../ui/masked.tsx'
import type { ContainerDetails } from './queries.ts'

/** Longer lists are collapsed. */
const few = 6

export function ContainerLabelsCard({ labels }: Pick<ContainerDetails, 'labels'>) {
  const entries = Object.entries(labels).toSorted(([a], [b]) => a.localeCompare(b))
  if (entries.length === 0) return null
  const list = (
    <dl className="grid grid-cols-[minmax(8rem,auto)_1fr] gap-x-6 gap-y-1.5 font-mono text-sm max-lg:grid-cols-1 max-lg:gap-y-0">
      {entries.map(([key, value]) => (
        <div key={key} className="contents">
          <dt className="wrap-anywhere text-muted">{key}</dt>
          <dd className="min-w-0 wrap-anywhere max-lg:mb-2">{value ?? <Masked />}</dd>
        </div>
      ))}
    </dl>
  )
  return (
    <Card title="Labels">
      {entries.length <= few ? (
        list
      ) : (
        <details>
          <summary className="cursor-pointer rounded-sm text-muted select-none hover:text-ink">
            {entries.length} labels
          </summary>
          <div className="pt-3">{list}</div>
        </details>
      )}
    </Card>
  )
}
