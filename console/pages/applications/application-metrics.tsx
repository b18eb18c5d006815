import { useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useSearchParams } from 'react-router'
import type { ApplicationDetails } from '../../areas/applications/queries.ts'
import { deploymentMarkers } from '../../areas/deployments/deployment-markers.ts'
import { deploymentsDuringQuery } from '../../areas/deployments/queries.ts'
import { ApplicationCharts } from '../../areas/metrics/metrics-charts.tsx'
import { useMetricsView } from '../../areas/metrics/use-metrics-view.ts'

export function ApplicationMetricsPage({ application: { id } }: { application: ApplicationDetails }) {
  const view = useMetricsView()
  const [params] = useSearchParams()
  const { data: deployments } = useQuery(deploymentsDuringQuery(id, view.span))
  const markers = useMemo(() => deploymentMarkers(deployments ?? [], params), [deployments, params])
  return <ApplicationCharts applicationId={id} view={view} markers={markers} />
}
