import { useQuery } from '@tanstack/react-query'
import { bytesInWords } from '../../ui/format/bytes.ts'
import { serverMetricsQuery } from './queries.ts'
import { ranges } from './range.ts'

/** What is free of a server now, as it was measured last; nothing while that is not known. */
export function FreeResources({ serverId }: { serverId: string }) {
  const { data } = useQuery(serverMetricsQuery(serverId, ranges[0]))
  const last = data?.points.at(-1)
  if (!last) return null
  const memory = bytesInWords(last.memory_total - last.memory_used)
  const disk = bytesInWords(last.disk_total - last.disk_used)
  return (
    <span className="block text-ink">
      {memory} memory and {disk} disk free
    </span>
  )
}
