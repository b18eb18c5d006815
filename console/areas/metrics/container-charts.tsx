import { containerCharts } from './charts.ts'
import { MetricsCharts } from './metrics-charts.tsx'
import { containerMetricsQuery } from './queries.ts'

interface ContainerChartsProps {
  serverId: string
  containerId: string
}

export const ContainerCharts = ({ serverId, containerId }: ContainerChartsProps) => (
  <MetricsCharts
    charts={containerCharts}
    metrics={(range) => containerMetricsQuery(serverId, containerId, range)}
    empty="Collected every 10 seconds while the container is running and kept for 30 days."
  />
)
