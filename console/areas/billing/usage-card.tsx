import { Card } from '../../ui/card.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { maxRetentionDays } from './plan-labels.ts'
import type { Billing } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

export function UsageCard({ limits, usage }: Pick<Billing, 'limits' | 'usage'>) {
  return (
    <Card
      title="Usage"
      description={`Metrics are kept for ${formatCount(limits.retention_days ?? maxRetentionDays, 'day')}.`}
    >
      <div className="grid gap-x-8 gap-y-4 sm:grid-cols-2">
        <Used label="Servers" used={usage.servers} most={limits.servers} />
        <Used label="Members and invites" used={usage.members} most={limits.members} />
      </div>
    </Card>
  )
}

function Used({ label, used, most }: { label: string; used: number; most: number | null }) {
  return (
    <div className="flex flex-col gap-1.5">
      <p className="flex justify-between gap-4">
        <span className="text-muted">{label}</span>
        <span className="tabular-nums">{most === null ? `${used}, no limit` : `${used} of ${most}`}</span>
      </p>
      {most !== null && <ProgressBar label={label} current={used} total={most} />}
      {most !== null && used >= most && (
        <p className="text-sm text-muted">
          {used === most ? 'Limit reached.' : 'Over the limit. Nothing is deleted, but you cannot add more.'}
        </p>
      )}
    </div>
  )
}
