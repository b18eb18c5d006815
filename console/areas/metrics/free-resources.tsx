import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { ranges, serverMetricsQuery } from './queries.ts'

/** Hidden while no metrics exist. */
export function FreeResources({ serverId }: { serverId: string }) {
  const { data } = useQuery(serverMetricsQuery(serverId, ranges[0]))
  const last = data?.points.at(-1)
  if (!last) return null
  const memory = formatBytes(last.memory_total - last.memory_used)
  const disk = formatBytes(last.disk_total - last.disk_used)
  return (
    <span className="block text-ink">
      {memory} memory and {disk} disk free
    </span>
  )
}
