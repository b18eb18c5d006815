import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Navigate, Route, Routes, useNavigate, useParams } from 'react-router'
import { roleAllowsInWorkspace } from '../../../contract/shared/permissions.ts'
import { ContainerActions, useContainerActions } from '../../areas/containers/container-menu.tsx'
import { ContainerBadge } from '../../areas/containers/container-columns.tsx'
import { ContainerDialogs } from '../../areas/containers/container-dialogs.tsx'
import { ContainerNotice, LastKnownNotice } from '../../areas/containers/container-notice.tsx'
import { type ContainerDetails, containerQuery, findCachedContainer } from '../../areas/containers/queries.ts'
import { unreachableReason } from '../../areas/servers/server-status.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { lazyPage } from '../../lib/lazy-page.tsx'
import { useTitle } from '../../lib/use-title.ts'
import { applicationPath, containerPath, paths, serverPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { NotAllowed, ResourceFallback } from '../page-fallback.tsx'
import { ContainerFacts } from '../../areas/containers/container-facts.tsx'
import { ContainerEnvironmentCard, ContainerLabelsCard } from '../../areas/containers/configuration-cards.tsx'
import { ContainerCharts } from '../../areas/metrics/metrics-charts.tsx'
import type { Crumb } from '../../ui/breadcrumbs.tsx'

const Logs = lazyPage(async () => (await import('../../areas/logs/container-log.tsx')).ContainerLog)
const Commands = lazyPage(async () => (await import('../../areas/commands/commands-panel.tsx')).CommandsPanel)
const Terminal = lazyPage(async () => (await import('../../areas/terminals/terminal-pane.tsx')).TerminalPane)

export function ContainerPage() {
  const { id = '', cid = '' } = useParams()
  return <OneContainer key={`${id} ${cid}`} serverId={id} cid={cid} />
}

function OneContainer({ serverId, cid }: { serverId: string; cid: string }) {
  const query = useQuery(containerQuery(serverId, cid))
  const client = useQueryClient()
  const navigate = useNavigate()
  const workspace = useWorkspace()
  const { acting, act } = useContainerActions(serverId)
  const { data: server } = useServer(serverId)
  const { data: details, error } = query
  const container = details ?? findCachedContainer(client, serverId, cid)
  const title = container?.name ?? `Container ${cid.slice(0, 12)}`
  useTitle(title)
  const parents = [
    { label: 'Servers', to: paths.servers },
    { label: server?.name ?? `Server ${serverId}`, to: serverPath(serverId, 'containers') },
  ]
  const retry = () => void query.refetch()
  if (error && !details) return <ContainerMissing {...{ serverId, title, parents, query }} />
  // The last known state stays visible while the server is unreachable, but is not shown as current.
  const removed = isNotFound(error)
  const why = error?.message ?? unreachableReason(server)
  const live = why === undefined
  const operates = live && (details?.controllable ?? false)
  const refusal = details?.enter_refusal ?? undefined
  const enters = roleAllowsInWorkspace(workspace, 'containers.shell') && refusal === undefined
  const refused = <NotAllowed needs="containers.shell" reason={refusal} />
  const doing = acting.get(container?.id ?? '')
  return (
    <>
      <PageHeader
        title={title}
        parents={parents}
        description={details?.application && <PartOf container={details} />}
        badge={
          live ? (
            container && <ContainerBadge container={container} acting={doing} />
          ) : (
            <Badge tone={removed ? 'neutral' : 'yellow'}>{removed ? 'Removed' : 'Unknown'}</Badge>
          )
        }
        action={
          operates &&
          container && (
            <ContainerActions
              serverId={serverId}
              container={container}
              acting={doing}
              onAct={(verb) => act(container, verb)}
              onRemoved={() => void navigate(serverPath(serverId, 'containers'), { replace: true })}
            />
          )
        }
      />
      {removed && <ContainerDialogs serverId={serverId} containers={[]} complete />}
      {!live && (
        <LastKnownNotice serverId={serverId} name={title} removed={removed} why={why} onRetry={retry} />
      )}
      <Tabs
        label="Container"
        tabs={[
          { to: containerPath(serverId, cid), label: 'Overview', end: true },
          { to: containerPath(serverId, cid, 'logs'), label: 'Logs' },
          ...(enters
            ? [
                { to: containerPath(serverId, cid, 'commands'), label: 'Commands' },
                { to: containerPath(serverId, cid, 'terminal'), label: 'Terminal' },
              ]
            : []),
        ]}
      />
      <Routes>
        <Route
          index
          element={
            details ? (
              <ContainerOverview serverId={serverId} container={details} operates={operates} />
            ) : (
              <Skeleton className="h-72 w-full rounded-lg!" />
            )
          }
        />
        <Route
          path="logs"
          element={
            <Logs
              serverId={serverId}
              containerId={cid}
              name={container?.name ?? cid.slice(0, 12)}
              startedAt={details?.started_at ?? undefined}
              runs={!error && (details?.state === 'running' || details?.state === 'paused')}
              away={(error !== null && !removed) || unreachableReason(server) !== undefined}
            />
          }
        />
        <Route
          path="commands"
          element={enters ? <Commands serverId={serverId} containerId={cid} /> : refused}
        />
        <Route
          path="terminal"
          element={enters ? <Terminal serverId={serverId} containerId={cid} /> : refused}
        />
        <Route path="*" element={<Navigate to={containerPath(serverId, cid)} replace />} />
      </Routes>
    </>
  )
}

const PartOf = ({ container: { application, service } }: { container: ContainerDetails }) =>
  application && (
    <>
      {service === null ? 'Container of ' : `Service ${service} of `}
      <TextLink to={applicationPath(application.id)}>{application.name}</TextLink>
    </>
  )

interface ContainerOverviewProps {
  serverId: string
  container: ContainerDetails
  operates: boolean
}

/** The metrics come first while the container runs. Those of a stopped one are old. */
function ContainerOverview({ serverId, container, operates }: ContainerOverviewProps) {
  const charts = <ContainerCharts serverId={serverId} containerId={container.id} />
  const runs = container.state === 'running' || container.state === 'paused'
  return (
    <>
      <ContainerNotice container={container} />
      {runs && charts}
      <ContainerFacts container={container} />
      {!runs && charts}
      <ContainerEnvironmentCard serverId={serverId} container={container} reveals={operates} />
      <ContainerLabelsCard labels={container.labels} />
    </>
  )
}

interface ContainerMissingProps {
  serverId: string
  title: string
  parents: readonly Crumb[]
  query: { error: Error | null; refetch: () => unknown }
}

const ContainerMissing = ({ serverId, ...rest }: ContainerMissingProps) => (
  <ResourceFallback
    {...rest}
    words={{
      gone: 'Container not found',
      why: 'The container was removed or is on another server.',
      others: { to: serverPath(serverId, 'containers'), label: 'All containers' },
      failed: 'Could not load container',
    }}
  />
)
