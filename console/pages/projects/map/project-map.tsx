import { useQuery } from '@tanstack/react-query'
import { Boxes } from 'lucide-react'
import { type ReactNode, useCallback } from 'react'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import { MapCanvas } from '../../../areas/projects/map/map-canvas.tsx'
import type { MapLayout } from '../../../areas/projects/map/map-layout.ts'
import { type Project, type ProjectMap as Data, projectMapQuery } from '../../../areas/projects/queries.ts'
import { QueryFallback } from '../../../lib/query-fallback.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { Skeleton } from '../../../ui/skeleton.tsx'
import { nodeTypes } from './map-cards.tsx'
import { listMapNodes } from './map-nodes.ts'

interface ProjectMapProps {
  project: Project
  action: ReactNode
}

const frame = 'relative flex-1 min-h-[28rem]'

export function ProjectMap({ project, action }: ProjectMapProps) {
  const query = useQuery(projectMapQuery(project.id))
  if (!query.data)
    return (
      <QueryFallback
        query={query}
        failed="Could not load map"
        skeleton={<Skeleton className={`${frame} rounded-lg!`} />}
        card
      />
    )
  if (query.data.applications.length + query.data.servers.length === 0)
    return (
      <div className={`${frame} flex items-center justify-center rounded-lg border border-line bg-subtle`}>
        <EmptyState icon={Boxes} title="No applications in this project" action={action}>
          Applications, databases and servers appear here with their connections.
        </EmptyState>
      </div>
    )
  return (
    <div data-wide className={frame}>
      <div className="absolute inset-0">
        <Loaded name={project.name} map={query.data} />
      </div>
    </div>
  )
}

function Loaded({ name, map }: { name: string; map: Data }) {
  const nodesOf = useCallback((layout: MapLayout) => listMapNodes(map, layout), [map])
  const note = map.more > 0 && `${formatCount(map.more, 'more application')} in the list`
  return <MapCanvas label={`Map of ${name}`} {...{ map, nodesOf, nodeTypes, note }} />
}
