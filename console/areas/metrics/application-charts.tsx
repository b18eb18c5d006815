import { applicationCharts } from './charts.ts'
import { MetricsCharts } from './metrics-charts.tsx'
import { applicationMetricsQuery } from './queries.ts'

export const ApplicationCharts = ({ applicationId }: { applicationId: string }) => (
  <MetricsCharts
    charts={applicationCharts}
    metrics={(range) => applicationMetricsQuery(applicationId, range)}
    empty="Collected every 10 seconds while the application is running and kept for 30 days."
  />
)
