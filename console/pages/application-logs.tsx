import { useQuery } from '@tanstack/react-query'
import { ScrollText } from 'lucide-react'
import { roleWord } from '../areas/applications/application-words.ts'
import {
  type ApplicationContainer,
  type ApplicationDetails,
  applicationContainersQuery,
} from '../areas/applications/queries.ts'
import { ContainerLog } from '../areas/logs/container-log.tsx'
import { useParam } from '../lib/use-param.ts'
import { EmptyState } from '../ui/empty-state.tsx'
import { Problem } from '../ui/problem.tsx'
import { Select } from '../ui/select.tsx'
import { Skeleton } from '../ui/skeleton.tsx'

/** What its containers say: the newest that serves, or the one that was chosen. */
export function ApplicationLogsPage({
  application: { id, server, state },
}: {
  application: ApplicationDetails
}) {
  const { data: containers, error, refetch } = useQuery(applicationContainersQuery(id))
  const [chosen, choose] = useParam('container')
  if (!containers)
    return error ? (
      <div className="rounded-lg border border-line bg-raised">
        <Problem title="The logs cannot be shown" onRetry={() => void refetch()}>
          {error.message || 'Try again in a moment.'}
        </Problem>
      </div>
    ) : (
      <Skeleton className="h-96 w-full rounded-lg!" />
    )
  const shown = containers.find((container) => container.id === chosen) ?? newestServing(containers)
  if (!shown)
    return (
      <div className="rounded-lg border border-line bg-raised">
        <EmptyState icon={ScrollText} title="No containers">
          What its containers say stands here, once a deployment has made some.
        </EmptyState>
      </div>
    )
  return (
    <>
      {containers.length > 1 && (
        <Select
          aria-label="Container"
          options={containers.map((container) => ({ value: container.id, label: labelOf(container) }))}
          value={shown.id}
          onValueChange={choose}
          className="w-full max-w-md"
        />
      )}
      <ContainerLog
        key={shown.id}
        serverId={server.id}
        containerId={shown.id}
        name={shown.name}
        startedAt={shown.started_at ?? undefined}
        runs={shown.state === 'running' || shown.state === 'paused'}
        away={error !== null || state === 'unknown'}
      />
    </>
  )
}

const newestServing = (containers: readonly ApplicationContainer[]) =>
  containers.find(({ role }) => role === 'serving') ?? containers[0]

const labelOf = ({ name, role }: ApplicationContainer) => `${name} (${roleWord(role)[1].toLowerCase()})`
