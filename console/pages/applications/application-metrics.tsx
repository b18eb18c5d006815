import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { ApplicationCharts } from '../../areas/metrics/metrics-charts.tsx'

export const ApplicationMetricsPage = ({ application: { id } }: { application: ApplicationDetails }) => (
  <ApplicationCharts applicationId={id} />
)
