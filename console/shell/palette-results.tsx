import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Boxes, Building2, FolderClosed, LayoutTemplate, type LucideIcon, Send, Server } from 'lucide-react'
import { useDeferredValue } from 'react'
import { applicationsQuery } from '../areas/applications/queries.ts'
import { notificationsQuery } from '../areas/notifications/queries.ts'
import { projectsQuery } from '../areas/projects/queries.ts'
import { serversQuery } from '../areas/servers/queries.ts'
import { templatesQuery } from '../areas/templates/queries.ts'
import { useChangeWorkspace, useWorkspace, workspacesQuery } from '../areas/workspaces/queries.ts'
import { applicationPath, channelPath, paths, projectPath, serverPath, templatePath } from '../paths.ts'
import { PaletteItem, PaletteGroup } from './palette-item.tsx'
import { useShellNavigate } from './use-shell-navigate.ts'

/** Search results by name. */
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
