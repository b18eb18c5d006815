import { TrustedProxiesCard } from '../../areas/servers/trusted-proxies-card.tsx'
import { Navigate, Route, Routes, useParams } from 'react-router'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { isCloudServer, isWaitingForConnection } from '../../areas/servers/creation/creation-steps.ts'
import {
  DeletedServerRedirect,
  DeleteServerButton,
  DeleteServerCard,
  DeleteServerDialog,
} from '../../areas/servers/delete-server.tsx'
import { DriftNotices } from '../../areas/servers/drift-notices.tsx'
import { ServerBadge, unreachableReason } from '../../areas/servers/server-status.tsx'
import { ServerNotice } from '../../areas/servers/server-notice.tsx'
import { type Server, useServer } from '../../areas/servers/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'
import { lazyPage } from '../../lib/lazy-page.tsx'
import { useSection } from '../../lib/use-section.ts'
import { useTitle } from '../../lib/use-title.ts'
import { paths, serverPath, cloudTokensPath } from '../../paths.ts'
import { NoticeStack } from '../../ui/notice.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { PageSections } from '../../ui/page-sections.tsx'
import { Tabs } from '../../ui/tabs.tsx'
import { NotAllowed } from '../page-fallback.tsx'
import { DeployLink } from './deploy-link.tsx'
import { ServerFallback } from './server-fallback.tsx'
import {
  ConnectionCard,
  KeyCard,
  ServerGeneralCard,
  WebPortsCard,
} from '../../areas/servers/settings-cards.tsx'
import { SetUpAgainCard, SetupCard } from '../../areas/servers/setup/setup-card.tsx'
import { ServerApplications } from '../../areas/applications/server-applications.tsx'
import { ServerCharts } from '../../areas/metrics/metrics-charts.tsx'
import { CreationCard } from '../../areas/servers/creation/creation-card.tsx'
import { NextStep } from '../../areas/servers/next-step.tsx'
import { RebootDialog, ServerActions, ServerMenu } from '../../areas/servers/server-menu.tsx'
import { ServerFacts } from '../../areas/servers/server-facts.tsx'
import { ServerGauges } from '../../areas/servers/server-gauges.tsx'
import { AuthorizeServer } from './authorize-server.tsx'
import { useQuery } from '@tanstack/react-query'
import { cloudTokenQuery } from '../../areas/cloud-tokens/queries.ts'
import { ButtonLink } from '../../ui/button.tsx'

const Containers = lazyPage(
  async () => (await import('../../areas/containers/containers-list.tsx')).ContainersList,
)
const Images = lazyPage(async () => (await import('./server-images.tsx')).ServerImagesPage)
const Commands = lazyPage(async () => (await import('../../areas/commands/commands-panel.tsx')).CommandsPanel)
const Terminal = lazyPage(async () => (await import('../../areas/terminals/terminal-pane.tsx')).TerminalPane)

export function ServerPage() {
  const { id = '' } = useParams()
  return <OneServer key={id} id={id} />
}

function OneServer({ id }: { id: string }) {
  const query = useServer(id)
  const server = query.data
  const { role } = useWorkspace()
  const title = server?.name ?? `Server ${id}`
  useTitle(title)
  // The user watched the deletion, so leave the page instead of showing “Server not found”.
  if (server?.status === 'deleting' && isNotFound(query.error)) return <DeletedServerRedirect />
  // Keep showing the cached server while it cannot be fetched.
  if (!server || isNotFound(query.error)) return <ServerFallback title={title} query={query} />
  const manages = roleAllows(role, 'servers.manage')
  const isRoot = roleAllows(role, 'servers.root')
  // A server that is being deleted has no settings.
  const stays = server.status !== 'deleting'
  return (
    <>
      <PageHeader
        title={title}
        parents={parents}
        description={<Machine server={server} />}
        badge={<ServerBadge status={server.status} />}
        action={isRoot && server.last_seen_at !== null && stays && <ServerActions id={id} />}
        menu={
          (manages || isRoot) && stays && <ServerMenu server={server} manages={manages} isRoot={isRoot} />
        }
      />
      {isRoot && <RebootDialog server={server} />}
      <NoticeStack dismissedUntil={dismissalVersion(server)}>
        {isCloudServer(server) && <DriftNotices server={server} manages={manages} />}
        <ServerNotice server={server} manages={manages} />
      </NoticeStack>
      {manages && <DeleteServerDialog server={server} />}
      <Tabs
        label="Server"
        tabs={[
          { to: serverPath(id), label: 'Overview', end: true },
          { to: serverPath(id, 'containers'), label: 'Containers' },
          { to: serverPath(id, 'images'), label: 'Images' },
          ...(isRoot
            ? [
                { to: serverPath(id, 'commands'), label: 'Commands' },
                { to: serverPath(id, 'terminal'), label: 'Terminal' },
              ]
            : []),
          ...(manages && stays ? [{ to: serverPath(id, 'settings'), label: 'Settings' }] : []),
        ]}
      />
      <Routes>
        <Route index element={<ServerOverview server={server} manages={manages} />} />
        <Route
          path="containers"
          element={
            <Containers
              serverId={id}
              operates={roleAllows(role, 'containers.operate')}
              away={unreachableReason(server)}
            />
          }
        />
        <Route path="images" element={<Images />} />
        <Route
          path="commands"
          element={isRoot ? <Commands serverId={id} /> : <NotAllowed needs="servers.root" />}
        />
        <Route
          path="terminal"
          element={isRoot ? <Terminal serverId={id} /> : <NotAllowed needs="servers.root" />}
        />
        {stays && (
          <Route
            path="settings"
            element={manages ? <ServerSettings server={server} /> : <NotAllowed needs="servers.manage" />}
          />
        )}
        <Route path="*" element={<Navigate to={serverPath(id)} replace />} />
      </Routes>
    </>
  )
}

/**
 * Returns the state for which a dismissed notice stays away. Notices of servers that do not work hold the only way out of
 * their state and cannot be dismissed, so the result is undefined.
 */
const dismissalVersion = ({ id, status, reason, cloud }: Server) =>
  status === 'ready'
    ? [id, reason, ...(cloud?.drift ?? []).map(({ kind, text }) => `${kind} ${text}`)].join(' ')
    : undefined

const Machine = ({ server: { region, os, cpus, memory_bytes: memory } }: { server: Server }) => (
  <span className="max-sm:line-clamp-1">
    {[region, os, cpus !== null && formatCount(cpus, 'core'), memory !== null && formatBytes(memory)]
      .filter(Boolean)
      .join(' · ')}
  </span>
)

const parents = [{ label: 'Servers', to: paths.servers }]

function ServerSettings({ server }: { server: Server }) {
  useSection()
  // A server that is being created cannot be reached.
  const made = server.status !== 'provisioning'
  const remote = server.kind === 'ssh' && made
  return (
    <PageSections label="Server settings">
      <ServerGeneralCard server={server} />
      {remote && <ConnectionCard server={server} />}
      {remote && <KeyCard server={server} />}
      {made && <WebPortsCard server={server} />}
      {made && <TrustedProxiesCard server={server} />}
      {made && <SetUpAgainCard server={server} />}
      <DeleteServerCard server={server} />
    </PageSections>
  )
}

function ServerOverview({ server, manages }: { server: Server; manages: boolean }) {
  const isGone = server.cloud?.status === 'deleted'
  const deploys =
    roleAllows(useWorkspace().role, 'applications.manage') && server.status !== 'deleting' && !isGone
  // The import command is for servers that Slipway has never reached; a moved server already has the key.
  const isNew = server.status === 'pending' && server.last_seen_at === null && !server.offered_host_key
  return (
    <>
      <CreationCard server={server} waysOut={manages && <StuckCreationActions server={server} />} />
      {manages &&
        !isGone &&
        (server.cloud && isNew ? <AuthorizeServer id={server.id} opened /> : <NextStep server={server} />)}
      {manages && !isGone && isWaitingForConnection(server) && <AuthorizeServer id={server.id} />}
      <SetupCard server={server} manages={manages} deployLink={<DeployLink serverId={server.id} />} />
      {server.last_seen_at !== null && (
        <>
          <ServerGauges server={server} />
          <ServerCharts serverId={server.id} />
          <ServerApplications serverId={server.id} manages={deploys} />
        </>
      )}
      <ServerFacts server={server} />
    </>
  )
}

const StuckCreationActions = ({ server }: { server: Server }) => (
  <>
    {server.cloud?.cloud_token_id && <ToRefused tokenId={server.cloud.cloud_token_id} />}
    <DeleteServerButton>Delete</DeleteServerButton>
  </>
)

function ToRefused({ tokenId }: { tokenId: string }) {
  const { data: token } = useQuery(cloudTokenQuery(tokenId))
  if (!token || token.error === null) return null
  return <ButtonLink to={cloudTokensPath}>Cloud tokens</ButtonLink>
}
