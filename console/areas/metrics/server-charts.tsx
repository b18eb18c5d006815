import { serverCharts } from './charts.ts'
import { MetricsCharts } from './metrics-charts.tsx'
import { serverMetricsQuery } from './queries.ts'

/** How busy a server is: CPU, memory, disk, network and load. */
export const ServerCharts = ({ serverId }: { serverId: string }) => (
  <MetricsCharts
    charts={serverCharts}
    metrics={(range) => serverMetricsQuery(serverId, range)}
    empty="Collected every 10 seconds while the server is connected and kept for 30 days."
  />
)
