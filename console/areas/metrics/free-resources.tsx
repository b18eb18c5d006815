import { useQuery } from '@tanstack/react-query'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { ranges } from './metrics-span.ts'
import { serverMetricsQuery } from './queries.ts'

interface FreeResourcesProps {
  serverId: string
  fallback: string
}

export function FreeResources({ serverId, fallback }: FreeResourcesProps) {
  const { data } = useQuery(serverMetricsQuery(serverId, ranges[0]))
  const last = data?.points.at(-1)
  if (!last) return fallback
  const memory = formatBytes(last.memory_total - last.memory_used)
  const disk = formatBytes(last.disk_total - last.disk_used)
  return `${memory} memory and ${disk} disk free`
}
