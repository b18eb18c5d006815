import { ContainerFacts } from '../areas/containers/container-facts.tsx'
import { ContainerNotice } from '../areas/containers/container-notice.tsx'
import { EnvironmentCard } from '../areas/containers/environment-card.tsx'
import { LabelsCard } from '../areas/containers/labels-card.tsx'
import type { ContainerDetails } from '../areas/containers/queries.ts'
import { ContainerCharts } from '../areas/metrics/container-charts.tsx'

interface ContainerOverviewProps {
  serverId: string
  container: ContainerDetails
  operates: boolean
}

export function ContainerOverview({ serverId, container, operates }: ContainerOverviewProps) {
  return (
    <>
      <ContainerNotice container={container} />
      <ContainerFacts container={container} />
      <ContainerCharts serverId={serverId} containerId={container.id} />
      <EnvironmentCard serverId={serverId} container={container} reveals={operates} />
      <LabelsCard labels={container.labels} />
    </>
  )
}
