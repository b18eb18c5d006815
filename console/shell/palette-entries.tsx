import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import {
  BellPlus,
  Box,
  Boxes,
  Building2,
  Cloud,
  FolderClosed,
  Globe,
  Keyboard,
  LayoutTemplate,
  LogOut,
  type LucideIcon,
  MessageSquare,
  PanelLeft,
  Plus,
  Rocket,
  ScrollText,
  Send,
  Server,
  ServerCog,
  SquareTerminal,
  SunMoon,
  Undo2,
} from 'lucide-react'
import { type Permission, roleAllows } from '../../contract/shared/permissions.ts'
import { useLogOut } from '../areas/auth/queries.ts'
import { resourcesQuery } from '../areas/home/queries.ts'
import { templatesQuery } from '../areas/templates/queries.ts'
import { useChangeWorkspace, useWorkspace, workspacesQuery } from '../areas/workspaces/queries.ts'
import { useMaskedText } from '../lib/address.tsx'
import { setTheme } from '../lib/theme.ts'
import { useDialog } from '../lib/use-dialog.ts'
import {
  applicationPath,
  channelPath,
  containerPath,
  newAlertPath,
  newChannelPath,
  paths,
  projectPath,
  serverPath,
  templatePath,
} from '../paths.ts'
import { imageBrands } from '../ui/brand/image-brand.ts'
import { useDestinations } from './navigation.ts'
import { type Link, type PaletteEntry, useLinks } from './palette-entry.ts'
import { useShellNavigate } from './palette-item.tsx'
import { usePages } from './palette-pages.ts'
import { useShell } from './shell-state.tsx'

export function usePaletteEntries(): PaletteEntry[] {
  const { locked } = useDestinations()
  const [pages, resources, workspaces, actions] = [
    usePages(),
    useResources(!locked),
    useWorkspaces(),
    useActions(),
  ]
  return [...pages, ...resources, ...workspaces, ...actions]
}

function useResources(enabled: boolean): PaletteEntry[] {
  const { role } = useWorkspace()
  const mask = useMaskedText()
  const { data } = useQuery({ ...resourcesQuery, enabled })
  const templates = useInfiniteQuery({ ...templatesQuery('', undefined), enabled }).data ?? []
  const toServers = useLinks('Servers', false)
  const toApplications = useLinks('Applications', false)
  const toCommands = useLinks('Commands', false)
  const toProjects = useLinks('Projects', false)
  const toDomains = useLinks('Domains', false)
  const toContainers = useLinks('Containers', false)
  const toTemplates = useLinks('Templates', false)
  const toChannels = useLinks('Channels', false)
  if (!data) return []
  const deploys = roleAllows(role, 'applications.deploy')
  const shared = sharedNames(data.applications)
  const applications = data.applications.map((application) => ({
    ...application,
    note: shared.has(application.name) ? { note: `on ${mask(application.server)}` } : {},
    brands: [
      ...(application.logo === null ? [] : [application.logo]),
      ...(application.image === null ? [] : imageBrands(application.image)),
    ],
  }))
  const commands = [
    ...applications.flatMap(({ id, name, note }) => [
      ...(deploys
        ? [{ label: `Deploy ${name}`, ...note, to: `${applicationPath(id)}?dialog=deploy`, icon: Rocket }]
        : []),
      { label: `Logs of ${name}`, ...note, to: applicationPath(id, 'logs'), icon: ScrollText },
      ...(deploys
        ? [
            {
              label: `Roll back ${name}`,
              ...note,
              to: `${applicationPath(id)}?dialog=roll-back`,
              icon: Undo2,
            },
          ]
        : []),
    ]),
    ...(roleAllows(role, 'servers.root') ? data.servers : []).map(({ id, name }) => ({
      label: `Terminal on ${mask(name)}`,
      to: serverPath(id, 'terminal'),
      icon: SquareTerminal,
    })),
  ]
  return [
    ...toServers(
      data.servers.map(({ id, name }) => ({ label: mask(name), to: serverPath(id), icon: Server })),
    ),
    ...toApplications(
      applications.map(({ id, name, note, brands }) => ({
        label: name,
        ...note,
        to: applicationPath(id),
        icon: Boxes,
        brands,
      })),
    ),
    ...toCommands(commands),
    ...toProjects(
      data.projects.map(({ id, name }) => ({ label: name, to: projectPath(id), icon: FolderClosed })),
    ),
    ...toDomains(
      data.domains.map(({ name, application_id: id }) => ({
        label: mask(name),
        to: applicationPath(id, 'networking'),
        icon: Globe,
      })),
    ),
    ...toContainers(
      data.containers.map(({ id, name, server_id: server }) => ({
        label: name,
        to: containerPath(server, id),
        icon: Box,
      })),
    ),
    ...toTemplates(
      templates.map(({ id, name, logo, builtin }) => ({
        label: name,
        to: templatePath(id),
        icon: LayoutTemplate,
        brands: logo === null ? [] : [logo],
        ...(!builtin && { note: 'workspace template' }),
      })),
    ),
    ...toChannels(data.channels.map(({ id, name }) => ({ label: name, to: channelPath(id), icon: Send }))),
  ]
}

/** Returns the names that more than one of them has. */
function sharedNames(named: readonly { name: string }[]): ReadonlySet<string> {
  const seen = new Set<string>()
  return new Set(named.map(({ name }) => name).filter((name) => seen.size === seen.add(name).size))
}

function useWorkspaces(): PaletteEntry[] {
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const current = useWorkspace()
  const go = useShellNavigate()
  const change = useChangeWorkspace(() => go(paths.home))
  return workspaces
    .filter(({ id }) => id !== current.id)
    .map(({ id, name }) => ({
      id: `Workspaces ${id}`,
      group: 'Workspaces',
      label: `Switch to ${name}`,
      icon: Building2,
      isStatic: true,
      run: () => change.mutate(id),
    }))
}

function useActions(): PaletteEntry[] {
  const { show, toggleSidebar } = useShell()
  const logOut = useLogOut()
  const { open } = useDialog()
  const workspace = useWorkspace()
  const { locked } = useDestinations()
  const toLinks = useLinks('Actions', true)
  const isDark = () => document.documentElement.dataset['theme'] === 'dark'
  const action = (label: string, icon: LucideIcon, act: () => void): PaletteEntry => ({
    id: `Actions ${label}`,
    group: 'Actions',
    label,
    icon,
    isStatic: true,
    run: () => {
      show(undefined)
      act()
    },
  })
  const created = newThings.filter(({ needs }) => roleAllows(workspace.role, needs))
  return [
    ...toLinks(locked ? [] : created),
    action('New workspace', Plus, () => open('new-workspace')),
    action('Send feedback', MessageSquare, () => open('feedback')),
    action('Toggle light and dark theme', SunMoon, () => setTheme(isDark() ? 'light' : 'dark')),
    action('Toggle sidebar', PanelLeft, toggleSidebar),
    action('Keyboard shortcuts', Keyboard, () => show('shortcuts')),
    action('Log out', LogOut, () => logOut.mutate()),
  ]
}

const newThings: readonly (Link & { needs: Permission })[] = [
  { label: 'New application', to: paths.createApplication, icon: Boxes, needs: 'applications.manage' },
  { label: 'Create server', to: paths.createServer, icon: Cloud, needs: 'servers.manage' },
  { label: 'Import server', to: paths.importServers, icon: ServerCog, needs: 'servers.manage' },
  { label: 'New alert', to: newAlertPath, icon: BellPlus, needs: 'alerts.manage' },
  { label: 'New channel', to: newChannelPath, icon: Send, needs: 'notifications.manage' },
]
