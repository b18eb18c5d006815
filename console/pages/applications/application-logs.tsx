import { useQuery } from '@tanstack/react-query'
import { ScrollText, Search } from 'lucide-react'
import { useSearchParams } from 'react-router'
import { roleBadge } from '../../areas/applications/application-status.ts'
import {
  type ApplicationContainer,
  type ApplicationDetails,
  applicationContainersQuery,
} from '../../areas/applications/queries.ts'
import { CombinedLog } from '../../areas/logs/combined-log.tsx'
import { ContainerLog } from '../../areas/logs/container-log.tsx'
import {
  describeSavedLog,
  type SavedLog,
  SavedLogSearch,
  savedLogsQuery,
  SavedLogView,
} from '../../areas/logs/saved-logs.tsx'
import { useDialog } from '../../lib/use-dialog.ts'
import { useParam } from '../../lib/use-param.ts'
import { serviceLogTarget } from '../../paths.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

export function ApplicationLogsPage({ application }: { application: ApplicationDetails }) {
  const { id } = application
  const query = useQuery(applicationContainersQuery(id))
  const saved = useQuery(savedLogsQuery(id)).data ?? []
  const shown = useShownRelease(saved)
  const { dialog, open, close } = useDialog()
  const { data: containers, error } = query
  const logs = saved.filter(({ release }) => release === shown)
  return (
    <>
      {saved.length > 0 && (
        <div className="flex flex-wrap items-center gap-2">
          <ReleaseSelect saved={saved} shown={shown} />
          <Button onClick={() => open('search-saved-logs')}>
            <Search aria-hidden />
            Search saved logs
          </Button>
        </div>
      )}
      {logs.length > 0 ? (
        <SavedLogs applicationId={id} logs={logs} />
      ) : containers ? (
        <ContainerLogs application={application} containers={containers} failed={error !== null} />
      ) : (
        <QueryFallback
          query={query}
          failed="Could not load logs"
          card
          skeleton={<Skeleton className="h-96 w-full rounded-lg!" />}
        />
      )}
      {dialog === 'search-saved-logs' && <SavedLogSearch applicationId={id} onClose={close} />}
    </>
  )
}

/**
 * Returns the release whose logs are shown. A link from an incident names a container or deployment, whose output may
 * be saved.
 */
function useShownRelease(saved: readonly SavedLog[]): number | undefined {
  const [release] = useParam('release')
  const linked = useLinkedLog(saved)
  return (linked ?? saved.find((log) => String(log.release) === release))?.release
}

function useLinkedLog(saved: readonly SavedLog[]): SavedLog | undefined {
  const [container] = useParam('container')
  const [deployment] = useParam('deployment')
  return saved.find(
    (log) =>
      (container !== '' && log.container.id.startsWith(container)) ||
      (deployment !== '' && log.deployment_id === deployment),
  )
}

function ReleaseSelect({ saved, shown }: { saved: readonly SavedLog[]; shown: number | undefined }) {
  const [, setParams] = useSearchParams()
  const releases = [...new Set(saved.map(({ release }) => release))].toSorted((a, b) => b - a)
  return (
    <Select
      aria-label="Release"
      options={[
        { value: '', label: 'Current containers' },
        ...releases.map((number) => ({ value: String(number), label: `Release ${number} (saved)` })),
      ]}
      value={shown === undefined ? '' : String(shown)}
      onValueChange={(release) => setParams(release === '' ? {} : { release }, { replace: true })}
      className="w-full max-w-60"
    />
  )
}

function SavedLogs({ applicationId, logs }: { applicationId: string; logs: readonly SavedLog[] }) {
  const [chosen, choose] = useParam('log')
  const linked = useLinkedLog(logs)
  const log = logs.find(({ id }) => id === chosen) ?? linked ?? logs[0]
  if (!log) return null
  return (
    <>
      {logs.length > 1 ? (
        <Select
          aria-label="Container"
          options={logs.map((log) => ({ value: log.id, label: describeSavedLog(log) }))}
          value={log.id}
          onValueChange={choose}
          className="w-full max-w-2xl"
        />
      ) : (
        <p className="text-sm text-muted">{describeSavedLog(log)}</p>
      )}
      <SavedLogView key={log.id} applicationId={applicationId} log={log} />
    </>
  )
}

interface ContainerLogsProps {
  application: ApplicationDetails
  containers: readonly ApplicationContainer[]
  failed: boolean
}

function ContainerLogs({ application: { name, server, state }, containers, failed }: ContainerLogsProps) {
  const [chosen, choose] = useParam('container')
  const [only, ...others] = containers
  const shown = containers.find((container) => container.id === chosen)
  const services = [...new Set(containers.flatMap(({ service }) => service ?? []))].toSorted()
  const service = services.find((serviceName) => serviceLogTarget(serviceName) === chosen)
  const logged = containers.filter((container) => service === undefined || container.service === service)
  const away = failed || state === 'unknown'
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
