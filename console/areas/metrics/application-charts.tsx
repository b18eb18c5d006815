import { applicationCharts } from './charts.ts'
import { MetricsCharts } from './metrics-charts.tsx'
import { applicationMetricsQuery } from './queries.ts'

/** The traffic of an application, as its proxy counts it, and what its containers take. */
export const ApplicationCharts = ({ applicationId }: { applicationId: string }) => (
  <MetricsCharts
    charts={applicationCharts}
    metrics={(range) => applicationMetricsQuery(applicationId, range)}
    empty="Requests and load are counted every 10 seconds while the application runs, and kept for 30 days."
  />
)
