import { formatBytes } from '../../../contract/shared/bytes.ts'
import { byNumber, byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { TextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { shortImageId } from './image-format.ts'
import type { Image } from './queries.ts'

export type ContainerLink = (id: string) => string

export const imageColumns = (linkTo: ContainerLink): [Column<Image>, ...Column<Image>[]] => [
  {
    head: 'Image',
    cell: ({ tags }) => <Tags tags={tags} />,
    sort: byText(({ tags }) => tags[0] ?? null),
  },
  {
    head: 'ID',
    cell: ({ id }) => (
      <span className="font-mono text-xs text-muted" title={id}>
        {shortImageId(id)}
      </span>
    ),
    narrow: true,
    roomy: true,
  },
  {
    head: 'Size',
    cell: ({ size_bytes: size }) => <span className="whitespace-nowrap">{formatBytes(size)}</span>,
    align: 'right',
    narrow: true,
    sort: byNumber(({ size_bytes: size }) => size, ['smallest first', 'largest first']),
  },
  {
    head: 'Created',
    cell: ({ created_at: at }) =>
      at === null ? <span className="text-muted">Unknown</span> : <Time at={at} />,
    narrow: true,
    sort: byTime(({ created_at: at }) => at, { none: 0 }),
  },
  {
    head: 'Used by',
    cell: ({ used_by: containers }) => <UsedBy containers={containers} linkTo={linkTo} most={3} />,
    sort: byNumber(({ used_by: containers }) => containers.length, ['unused first', 'most used first']),
  },
]

function Tags({ tags }: Pick<Image, 'tags'>) {
  if (tags.length === 0) return <span className="font-normal text-muted">Untagged</span>
  return (
    <ul className="flex flex-col py-1">
      {tags.map((tag) => (
        <li key={tag} className="font-mono text-sm font-medium wrap-anywhere" dir="ltr">
          {tag}
        </li>
      ))}
    </ul>
  )
}

interface UsedByProps {
  containers: Image['used_by']
  linkTo: ContainerLink
  most?: number
}

export function UsedBy({ containers, linkTo, most = Infinity }: UsedByProps) {
  if (containers.length === 0) return <span className="text-muted">Not used</span>
  const more = containers.length - most
  return (
    <span className="flex flex-wrap gap-x-2 py-1 max-sm:justify-end">
      {containers.slice(0, most).map(({ id, name }) => (
        <TextLink key={id} to={linkTo(id)}>
          <bdi className="wrap-anywhere">{name}</bdi>
        </TextLink>
      ))}
      {more > 0 && <span className="text-muted">and {more} more</span>}
    </span>
  )
}
