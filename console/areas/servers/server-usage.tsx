import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { classNames } from '../../ui/class-names.ts'
import { UsageBar } from '../../ui/gauge.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
import { relativeTime, useNow } from '../../ui/time.tsx'
import type { Server } from './queries.ts'

type Usage = Pick<Server, 'usage' | 'cpus'>

interface Meter {
  label: string
  share: number | null
  text?: string
}

const amount = (used: number, total: number) => ({
  share: total > 0 ? used / total : null,
  text: `${formatBytes(used)} of ${formatBytes(total)}`,
})

export function usageMeters({ usage, cpus }: Usage): Record<'cpu' | 'memory' | 'disk', Meter> {
  const cores = cpus === null ? {} : { text: formatCount(cpus, 'core') }
  if (!usage)
    return {
      cpu: { label: 'CPU', share: null },
      memory: { label: 'Memory', share: null },
      disk: { label: 'Disk', share: null },
    }
  return {
    cpu: { label: 'CPU', share: usage.cpu, ...cores },
    memory: { label: 'Memory', ...amount(usage.memory_used, usage.memory_total) },
    disk: { label: 'Disk', ...amount(usage.disk_used, usage.disk_total) },
  }
}

/** Metrics are collected every 10 seconds, so older ones mean that the server does not report. */
const currentMs = 2 * 60_000

/** Returns the age of the metrics of a server, or undefined while they are current. */
export function useUsageAge({ usage }: Pick<Server, 'usage'>): string | undefined {
  const now = useNow()
  if (!usage) return undefined
  const at = new Date(usage.at)
  return now - at.getTime() > currentMs ? relativeTime(at, new Date(now)) : undefined
}

export function FreeDiskSpace({ server: { name, usage } }: { server: Pick<Server, 'name' | 'usage'> }) {
  const age = useUsageAge({ usage })
  if (!usage) return null
  const { disk_total: total, disk_used: used } = usage
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm tabular-nums">
        {formatBytes(Math.max(total - used, 0))} of {formatBytes(total)} free on <bdi>{name}</bdi>
        {age !== undefined && `, ${age}`}
      </p>
      <ProgressBar label="Disk usage" current={used} total={total} />
    </div>
  )
}

/** Returns the highest share of CPU, memory and disk, or -1 while all are unknown. */
export const highestShare = (server: Usage): number =>
  Math.max(...Object.values(usageMeters(server)).map(({ share }) => share ?? -1))

export function UsageBars({ server }: { server: Usage }) {
  const age = useUsageAge(server)
  return (
    <span className="flex flex-col gap-1">
      <span className={classNames('grid grid-cols-3 gap-3 sm:gap-4', age !== undefined && 'grayscale')}>
        {Object.values(usageMeters(server)).map((meter) => (
          <UsageBar key={meter.label} {...meter} named />
        ))}
      </span>
      {age !== undefined && <span className="text-xs text-yellow-ink">Metrics from {age}</span>}
    </span>
  )
}

/** Shows one of the usage bars, for a column of a table. */
export function UsageCell({ server, of }: { server: Usage; of: keyof ReturnType<typeof usageMeters> }) {
  const age = useUsageAge(server)
  if (!server.usage) return <span className="text-muted">–</span>
  const { text, ...meter } = usageMeters(server)[of]
  return (
    <span className={classNames('block w-20 min-[1280px]:w-28', age !== undefined && 'grayscale')}>
      <UsageBar {...meter} text={[text, age].filter(Boolean).join(', ')} />
    </span>
  )
}
