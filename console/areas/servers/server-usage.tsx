import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { UsageBar } from '../../ui/gauge.tsx'
import { ProgressBar } from '../../ui/progress-bar.tsx'
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

export function FreeDiskSpace({ server: { name, usage } }: { server: Pick<Server, 'name' | 'usage'> }) {
  if (!usage) return null
  const { disk_total: total, disk_used: used } = usage
  return (
    <div className="flex flex-col gap-1.5">
      <p className="text-sm tabular-nums">
        {formatBytes(Math.max(total - used, 0))} of {formatBytes(total)} free on <bdi>{name}</bdi>
      </p>
      <ProgressBar label="Disk usage" current={used} total={total} />
    </div>
  )
}

/** The highest of CPU, memory and disk; -1 while unknown. */
export const highestShare = (server: Usage): number =>
  Math.max(...Object.values(usageMeters(server)).map(({ share }) => share ?? -1))

export function UsageBars({ server }: { server: Usage }) {
  return (
    <span className="grid grid-cols-3 gap-3 sm:gap-4">
      {Object.values(usageMeters(server)).map((meter) => (
        <UsageBar key={meter.label} {...meter} named />
      ))}
    </span>
  )
}
