import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  BellPlus,
  Boxes,
  Building2,
  Cloud,
  FolderClosed,
  Keyboard,
  LayoutTemplate,
  LogOut,
  type LucideIcon,
  MessageSquare,
  PanelLeft,
  Plus,
  Send,
  Server,
  ServerCog,
  SunMoon,
} from 'lucide-react'
import { type ReactNode, useDeferredValue } from 'react'
import { applicationsQuery } from '../areas/applications/queries.ts'
import { notificationsQuery } from '../areas/notifications/queries.ts'
import { projectsQuery } from '../areas/projects/queries.ts'
import { serversQuery } from '../areas/servers/queries.ts'
import { templatesQuery } from '../areas/templates/queries.ts'
import { useChangeWorkspace, useWorkspace, workspacesQuery } from '../areas/workspaces/queries.ts'
import {
  applicationPath,
  channelPath,
  newAlertPath,
  newChannelPath,
  paths,
  projectPath,
  serverPath,
  templatePath,
} from '../paths.ts'
import { roleAllows } from '../../contract/shared/permissions.ts'
import { useLogOut } from '../areas/auth/queries.ts'
import { isLocked } from '../areas/workspaces/workspace-plan.ts'
import { setTheme } from '../lib/theme.ts'
import { useDialog } from '../lib/use-dialog.ts'
import { useShell } from './shell-state.tsx'
import { Command } from 'cmdk'
import { menuItemClasses } from '../ui/menu/menu-classes.ts'
import { useNavigate } from 'react-router'

export function PaletteResults({ typed }: { typed: string }) {
  const q = useDeferredValue(typed)
  const go = useShellNavigate()
  const enabled = q !== ''
  const servers = useInfiniteQuery({ ...serversQuery(q), enabled }).data
  const applications = useInfiniteQuery({ ...applicationsQuery(q), enabled }).data
  const projects = useInfiniteQuery({ ...projectsQuery(q), enabled }).data
  const templates = useInfiniteQuery({ ...templatesQuery(q, undefined), enabled }).data
  const channels = useInfiniteQuery({ ...notificationsQuery(q), enabled }).data
  const kinds: Kind[] = [
    { heading: 'Servers', found: servers, to: pageOfServer, icon: Server },
    { heading: 'Applications', found: applications, to: pageOfApplication, icon: Boxes },
    { heading: 'Projects', found: projects, to: pageOfProject, icon: FolderClosed },
    { heading: 'Templates', found: templates, to: pageOfTemplate, icon: LayoutTemplate },
    { heading: 'Channels', found: channels, to: pageOfChannel, icon: Send },
  ]
  return kinds.map(
    ({ heading, found = [], to, icon: Icon }) =>
      found.length > 0 && (
        <PaletteGroup key={heading} heading={heading}>
          {found.slice(0, 8).map((thing) => (
            <PaletteItem key={thing.id} value={`${thing.name} ${thing.id}`} onSelect={() => go(to(thing))}>
              <Icon aria-hidden /> {thing.name}
              {thing.builtin === false && <span className="text-muted">of this workspace</span>}
            </PaletteItem>
          ))}
        </PaletteGroup>
      ),
  )
}

interface Thing {
  id: string
  name: string
  /** Distinguishes a workspace template from a catalog template of the same name. */
  builtin?: boolean
}

interface Kind {
  heading: string
  found: readonly Thing[] | undefined
  to: (thing: Thing) => string
  icon: LucideIcon
}

const pageOfServer = ({ id }: Thing) => serverPath(id)
const pageOfApplication = ({ id }: Thing) => applicationPath(id)
const pageOfProject = ({ id }: Thing) => projectPath(id)
const pageOfTemplate = ({ id }: Thing) => templatePath(id)
const pageOfChannel = ({ id }: Thing) => channelPath(id)

export function PaletteWorkspaces() {
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const current = useWorkspace()
  const go = useShellNavigate()
  const change = useChangeWorkspace(() => go(paths.home))
  const others = workspaces.filter(({ id }) => id !== current.id)
  if (others.length === 0) return null
  return (
    <PaletteGroup heading="Workspaces">
      {others.map(({ id, name }) => (
        <PaletteItem key={id} value={`${name} ${id}`} onSelect={() => change.mutate(id)}>
          <Building2 aria-hidden /> Switch to {name}
        </PaletteItem>
      ))}
    </PaletteGroup>
  )
}

export function PaletteActions() {
  const { show, toggleSidebar } = useShell()
  const logOut = useLogOut()
  const { open } = useDialog()
  const locked = isLocked(useWorkspace())
  const then = (act: () => void) => () => {
    show(undefined)
    act()
  }
  const dark = () => document.documentElement.dataset['theme'] === 'dark'
  return (
    <PaletteGroup heading="Actions">
      {!locked && <NewThings />}
      <PaletteItem onSelect={then(() => open('new-workspace'))}>
        <Plus aria-hidden /> New workspace
      </PaletteItem>
      <PaletteItem onSelect={then(() => open('feedback'))}>
        <MessageSquare aria-hidden /> Send feedback
      </PaletteItem>
      <PaletteItem onSelect={then(() => setTheme(dark() ? 'light' : 'dark'))}>
        <SunMoon aria-hidden /> Toggle light and dark theme
      </PaletteItem>
      <PaletteItem onSelect={then(toggleSidebar)}>
        <PanelLeft aria-hidden /> Toggle sidebar
      </PaletteItem>
      <PaletteItem onSelect={() => show('shortcuts')}>
        <Keyboard aria-hidden /> Keyboard shortcuts
      </PaletteItem>
      <PaletteItem onSelect={then(() => logOut.mutate())}>
        <LogOut aria-hidden /> Log out
      </PaletteItem>
    </PaletteGroup>
  )
}

function NewThings() {
  const { role } = useWorkspace()
  const go = useShellNavigate()
  return (
    <>
      {roleAllows(role, 'applications.manage') && (
        <PaletteItem onSelect={() => go(paths.createApplication)}>
          <Boxes aria-hidden /> New application
        </PaletteItem>
      )}
      {roleAllows(role, 'servers.manage') && (
        <PaletteItem onSelect={() => go(paths.createServer)}>
          <Cloud aria-hidden /> Create a server
        </PaletteItem>
      )}
      {roleAllows(role, 'servers.manage') && (
        <PaletteItem onSelect={() => go(paths.importServers)}>
          <ServerCog aria-hidden /> Import a server
        </PaletteItem>
      )}
      {roleAllows(role, 'alerts.manage') && (
        <PaletteItem onSelect={() => go(newAlertPath)}>
          <BellPlus aria-hidden /> New alert
        </PaletteItem>
      )}
      {roleAllows(role, 'notifications.manage') && (
        <PaletteItem onSelect={() => go(newChannelPath)}>
          <Send aria-hidden /> New channel
        </PaletteItem>
      )}
    </>
  )
}

export function PaletteGroup({ heading, children }: { heading: string; children: ReactNode }) {
  return (
    <Command.Group
      heading={heading}
      className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-muted"
    >
      {children}
    </Command.Group>
  )
}

export function PaletteItem({
  value,
  onSelect,
  children,
}: {
  value?: string
  onSelect: () => void
  children: ReactNode
}) {
  return (
    <Command.Item
      {...(value === undefined ? {} : { value })}
      onSelect={onSelect}
      className={`${menuItemClasses} data-[selected=true]:bg-hover`}
    >
      {children}
    </Command.Item>
  )
}

export function useShellNavigate() {
  const navigate = useNavigate()
  const { show } = useShell()
  return (to: string) => {
    show(undefined)
    void navigate(to)
  }
}
