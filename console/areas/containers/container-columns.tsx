import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatInUnit } from '../../ui/chart/chart-units.ts'
import { byNumber, byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { ImageName } from '../../ui/image-name.tsx'
import { Time } from '../../ui/time.tsx'
import type { Container, ContainerVerb } from './queries.ts'
import { ContainerPorts } from './container-ports.tsx'
import {
  containerHealthLabel,
  containerStateLabel,
  containerUrgency,
  isAlive,
  pendingLabels,
} from './container-state.ts'
import { Badge } from '../../ui/badge.tsx'

export const containerColumns = (
  acting: ReadonlyMap<string, ContainerVerb>,
): [Column<Container>, ...Column<Container>[]] => [
  { head: 'Name', cell: (container) => <Name container={container} />, sort: byText(({ name }) => name) },
  {
    head: 'Status',
    cell: (container) => <ContainerBadge container={container} acting={acting.get(container.id)} />,
    sort: byNumber(containerUrgency, ['most urgent first', 'least urgent first']),
    phone: 'first-end',
  },
  {
    head: 'Image',
    cell: ({ image }) => (
      // The name takes the remaining width and must not widen the column.
      <span className="block max-sm:min-w-0 sm:min-w-28 min-[1280px]:min-w-52">
        <span className="flex sm:w-0 sm:min-w-full">
          <ImageName>{image}</ImageName>
        </span>
      </span>
    ),
    sort: byText(({ image }) => image),
    phone: 'second',
  },
  {
    head: 'Ports',
    cell: ({ ports }) => (ports.length === 0 ? null : <Ports ports={ports} />),
    roomy: true,
    desk: true,
  },
  {
    head: 'CPU',
    cell: ({ state, cpu }) =>
      isAlive(state) ? (
        <Figure title="Percentage of one core">{cpu === null ? null : formatInUnit(cpu, 'share')}</Figure>
      ) : null,
    align: 'right',
    narrow: true,
    desk: true,
    sort: byNumber(({ cpu }) => cpu ?? -1, ['lowest first', 'highest first']),
  },
  {
    head: 'Memory',
    cell: ({ state, memory_used: used, memory_limit: limit }) =>
      isAlive(state) ? (
        <Figure title={limit === null ? '' : `Limit: ${formatBytes(limit)}`}>
          {used === null ? null : formatBytes(used)}
        </Figure>
      ) : null,
    align: 'right',
    narrow: true,
    phone: 'second-end',
    sort: byNumber(({ memory_used: used }) => used ?? -1, ['lowest first', 'highest first']),
  },
  {
    head: 'Started',
    cell: ({ started_at: at }) =>
      at === null ? <span className="text-muted">Never</span> : <Time at={at} />,
    narrow: true,
    roomy: true,
    desk: true,
    sort: byTime(({ started_at: at }) => at, { none: 0, labels: ['oldest first', 'newest first'] }),
  },
]

function Name({ container: { name, project, service } }: { container: Container }) {
  const group = [project, service].filter((part) => part !== null).join(' / ')
  return (
    <span className="flex flex-col py-1 max-sm:py-0">
      <bdi className="wrap-anywhere">{name}</bdi>
      {group !== '' && (
        <span className="text-xs font-normal text-muted wrap-anywhere" title="Compose project and service">
          {group}
        </span>
      )}
    </span>
  )
}

const Ports = ({ ports }: Pick<Container, 'ports'>) => (
  <div className="py-1 max-sm:py-0 max-sm:[&_:is(ul,li)]:items-end max-sm:[&_:is(ul,li)]:justify-end">
    <ContainerPorts ports={ports} most={3} />
  </div>
)

function Figure({ title, children }: { title: string; children: string | null }) {
  if (children === null) return <span className="text-muted">–</span>
  return (
    <span className="whitespace-nowrap" title={title}>
      {children}
    </span>
  )
}

interface ContainerBadgeProps {
  container: Pick<Container, 'state' | 'health' | 'exit_code'>
  acting?: ContainerVerb | undefined
}

export function ContainerBadge({ container, acting }: ContainerBadgeProps) {
  if (acting) return <Badge tone="yellow">{pendingLabels[acting]}</Badge>
  const [tone, word] = containerStateLabel(container)
  const health = containerHealthLabel(container)
  return (
    <span className="inline-flex flex-wrap gap-1 py-1 max-sm:justify-end max-sm:py-0">
      <Badge tone={tone}>{word}</Badge>
      {health && <Badge tone={health[0]}>{health[1]}</Badge>}
    </span>
  )
}
