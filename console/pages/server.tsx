import { Navigate, Route, Routes, useParams } from 'react-router'
import { may } from '../../contract/permissions.ts'
import { isOfCloud } from '../areas/servers/creation-words.ts'
import { DeleteServerDialog } from '../areas/servers/delete-server-dialog.tsx'
import { DriftNotices } from '../areas/servers/drift-notices.tsx'
import { ServerBadge } from '../areas/servers/server-badge.tsx'
import { ServerGone } from '../areas/servers/server-gone.tsx'
import { ServerNotice } from '../areas/servers/server-notice.tsx'
import { useServer } from '../areas/servers/use-server.ts'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { isMissing } from '../lib/failure.ts'
import { lazyPage } from '../lib/lazy-page.tsx'
import { useTitle } from '../lib/use-title.ts'
import { paths, serverPath } from '../paths.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { Tabs } from '../ui/tabs.tsx'
import { NotAllowed } from './not-allowed.tsx'
import { ServerMissing } from './server-missing.tsx'
import { ServerOverview } from './server-overview.tsx'
import { ServerSettings } from './server-settings.tsx'

const Containers = lazyPage(async () => (await import('./server-containers.tsx')).ServerContainersPage)
const Images = lazyPage(async () => (await import('./server-images.tsx')).ServerImagesPage)
const Commands = lazyPage(async () => (await import('./server-commands.tsx')).ServerCommandsPage)
const Terminal = lazyPage(async () => (await import('./server-terminal.tsx')).ServerTerminalPage)

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
  // Whoever has seen it go knows where it went.
  if (server?.status === 'deleting' && isMissing(query.error)) return <ServerGone name={server.name} />
  // While it cannot be asked for, it stays as it was seen last.
  if (!server || isMissing(query.error)) return <ServerMissing title={title} query={query} />
  const manages = may(role, 'servers.manage')
  const isRoot = may(role, 'servers.root')
  // There is nothing to set of one that is on its way out.
  const stays = server.status !== 'deleting'
  return (
    <>
      <PageHeader title={title} parents={parents} badge={<ServerBadge status={server.status} />} />
      {isOfCloud(server) && <DriftNotices server={server} manages={manages} />}
      <ServerNotice server={server} manages={manages} />
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
        <Route path="containers" element={<Containers />} />
        <Route path="images" element={<Images />} />
        <Route path="commands" element={isRoot ? <Commands /> : <NotAllowed needs="servers.root" />} />
        <Route path="terminal" element={isRoot ? <Terminal /> : <NotAllowed needs="servers.root" />} />
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

const parents = [{ label: 'Servers', to: paths.servers }]
