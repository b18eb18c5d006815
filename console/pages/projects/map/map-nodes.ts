import type { Node } from '@xyflow/react'
import { type Box, type MapLayout, serverHeader } from '../../../areas/projects/map/map-layout.ts'
import type { MapApplication, ProjectMap } from '../../../areas/projects/queries.ts'

export type FrameNode = Node<Record<string, never>, 'frame'>
export type ServerNode = Node<{ server: ProjectMap['servers'][number]; applications: number }, 'server'>
export type DomainNode = Node<{ domains: MapApplication['domains'] }, 'domain'>
export type ApplicationNode = Node<
  { application: MapApplication; compact: boolean; description: string },
  'application'
>
export type NetworkNode = Node<{ network: ProjectMap['networks'][number] }, 'network'>
export type MapNode = FrameNode | ServerNode | DomainNode | ApplicationNode | NetworkNode

/** Lists nodes in reading order, which the Tab key follows. */
export function listMapNodes(map: ProjectMap, { groups, sizes }: MapLayout): MapNode[] {
  const names = new Map(map.applications.map(({ id, name }) => [id, name]))
  return groups.flatMap((group): MapNode[] => {
    const { server, cards, networks } = group
    return [
      { ...nodeAt(`frame ${server.id}`, group, 0), type: 'frame', data: {} },
      {
        ...nodeAt(server.id, { ...group, height: serverHeader }, 2),
        type: 'server',
        data: { server, applications: cards.length },
      },
      ...cards
        .toSorted((a, b) => a.row - b.row || a.column - b.column)
        .flatMap(({ application, domain, ...box }): MapNode[] => [
          ...(domain
            ? [
                {
                  ...nodeAt(`domain ${application.id}`, domain, 2),
                  type: 'domain' as const,
                  data: { domains: application.domains },
                },
              ]
            : []),
          {
            ...nodeAt(application.id, box, 2),
            type: 'application',
            data: {
              application,
              compact: sizes.compact,
              description: describeConnections(map, application, names),
            },
          },
        ]),
      ...networks.map(({ network, ...box }): MapNode => ({
        ...nodeAt(`${server.id} ${network.name}`, box, 2),
        type: 'network',
        data: { network },
      })),
    ]
  })
}

const nodeAt = (id: string, { x, y, width, height }: Box, zIndex: number) => ({
  id,
  position: { x, y },
  width,
  height,
  zIndex,
  domAttributes: { 'aria-roledescription': undefined, 'aria-describedby': undefined },
})

export function describeConnections(
  { references, networks }: Pick<ProjectMap, 'references' | 'networks'>,
  { id, server }: Pick<MapApplication, 'id' | 'server'>,
  names: ReadonlyMap<string, string>,
): string {
  const list = (ids: readonly string[]) =>
    [...new Set(ids)].flatMap((other) => names.get(other) ?? []).join(', ')
  const uses = list(references.filter(({ from }) => from === id).map(({ to }) => to))
  const usedBy = list(references.filter(({ to }) => to === id).map(({ from }) => from))
  const shared = networks.some(({ kind, applications }) => kind === 'project' && applications.includes(id))
  return [
    `Server ${server.name}.`,
    uses && `References ${uses}.`,
    usedBy && `Referenced by ${usedBy}.`,
    shared && 'In the project network.',
  ]
    .filter(Boolean)
    .join(' ')
}
