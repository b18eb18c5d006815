import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { Boxes, Building2, FolderClosed, Server } from 'lucide-react'
import { useDeferredValue } from 'react'
import { applicationsQuery } from '../areas/applications/queries.ts'
import { projectsQuery } from '../areas/projects/queries.ts'
import { serversQuery } from '../areas/servers/queries.ts'
import { useChangeWorkspace, useWorkspace, workspacesQuery } from '../areas/workspaces/queries.ts'
import { applicationPath, paths, serverPath } from '../paths.ts'
import { Entry, Group } from './palette-entry.tsx'
import { useGo } from './use-go.ts'

/** What the workspace holds, found by name once something is typed. */
export function Things({ typed }: { typed: string }) {
  const q = useDeferredValue(typed)
  const go = useGo()
  const enabled = q !== ''
  const servers = useInfiniteQuery({ ...serversQuery(q), enabled }).data
  const applications = useInfiniteQuery({ ...applicationsQuery(q), enabled }).data
  const projects = useInfiniteQuery({ ...projectsQuery(q), enabled }).data
  const kinds = [
    { heading: 'Servers', found: servers, to: pageOfServer, icon: Server },
    { heading: 'Applications', found: applications, to: pageOfApplication, icon: Boxes },
    { heading: 'Projects', found: projects, to: inList(paths.projects), icon: FolderClosed },
  ]
  return kinds.map(
    ({ heading, found = [], to, icon: Icon }) =>
      found.length > 0 && (
        <Group key={heading} heading={heading}>
          {found.slice(0, 8).map((thing) => (
            <Entry key={thing.id} value={`${thing.name} ${thing.id}`} onSelect={() => go(to(thing))}>
              <Icon aria-hidden /> {thing.name}
            </Entry>
          ))}
        </Group>
      ),
  )
}

interface Thing {
  id: string
  name: string
}

const pageOfServer = ({ id }: Thing) => serverPath(id)
const pageOfApplication = ({ id }: Thing) => applicationPath(id)
/** What has no page of its own yet is found in its list. */
const inList =
  (path: string) =>
  ({ name }: Thing) =>
    `${path}?q=${encodeURIComponent(name)}`

export function Workspaces() {
  const { data: workspaces = [] } = useQuery(workspacesQuery)
  const current = useWorkspace()
  const go = useGo()
  const change = useChangeWorkspace(() => go(paths.home))
  const others = workspaces.filter(({ id }) => id !== current.id)
  if (others.length === 0) return null
  return (
    <Group heading="Workspaces">
      {others.map(({ id, name }) => (
        <Entry key={id} value={`${name} ${id}`} onSelect={() => change.mutate(id)}>
          <Building2 aria-hidden /> Switch to {name}
        </Entry>
      ))}
    </Group>
  )
}
