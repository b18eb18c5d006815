import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { roleBadge } from '../../areas/applications/application-status.ts'
import {
  type ApplicationContainer,
  type ApplicationDetails,
  applicationContainersQuery,
} from '../../areas/applications/queries.ts'
import { CombinedLog } from '../../areas/logs/combined-log.tsx'
import { ContainerLog } from '../../areas/logs/container-log.tsx'
import { useParam } from '../../lib/use-param.ts'
import { serviceLogTarget } from '../../paths.ts'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

/** Shows all containers, those of one service or a single one, in chronological order. */
export function ApplicationLogsPage({
  application: { id, name, server, state },
}: {
  application: ApplicationDetails
}) {
  const query = useQuery(applicationContainersQuery(id))
  const { data: containers, error } = query
  const [chosen, choose] = useParam('container')
  if (!containers)
    return (
      <QueryFallback
        query={query}
        failed="Couldn’t load logs"
        card
        skeleton={<Skeleton className="h-96 w-full rounded-lg!" />}
      />
    )
  const [only, ...others] = containers
  const shown = containers.find((container) => container.id === chosen)
  const services = [...new Set(containers.flatMap(({ service }) => service ?? []))].toSorted()
  const service = services.find((serviceName) => serviceLogTarget(serviceName) === chosen)
  const logged = containers.filter((container) => service === undefined || container.service === service)
  const away = error !== null || state === 'unknown'
  if (!only)
    return (
      <Card flush>
        <EmptyState icon={ScrollText} title="No containers">
          Deploy the application to see its logs.
        </EmptyState>
      </Card>
    )
  const single = others.length === 0 ? only : shown
  return (
    <>
      {others.length > 0 && (
        <Select
          aria-label="Container"
          options={[
            { value: '', label: `All ${containers.length} containers` },
            ...(services.length > 1 ? services : []).map((serviceName) => ({
              value: serviceLogTarget(serviceName),
              label: `Service ${serviceName}`,
            })),
            ...containers.map((container) => ({ value: container.id, label: labelOf(container) })),
          ]}
          value={shown?.id ?? (service === undefined ? '' : serviceLogTarget(service))}
          onValueChange={choose}
          className="w-full max-w-md"
        />
      )}
      {single ? (
        <ContainerLog
          key={single.id}
          serverId={server.id}
          containerId={single.id}
          name={single.name}
          startedAt={single.started_at ?? undefined}
          runs={single.state === 'running' || single.state === 'paused'}
          away={away}
        />
      ) : (
        <CombinedLog
          key={service}
          serverId={server.id}
          label={`Log of ${service ?? name}`}
          containers={logged.map((container) => ({
            id: container.id,
            name: container.name,
            startedAt: container.started_at ?? undefined,
          }))}
          away={away}
        />
      )}
    </>
  )
}

const labelOf = (container: ApplicationContainer) => {
  const { name, release } = container
  const part = roleBadge(container)[1].toLowerCase()
  return `${name}: ${release === null ? '' : `release ${release}, `}${part}`
}
