import { Badge } from '../../ui/badge.tsx'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { classNames } from '../../ui/class-names.ts'
import { formatPrice } from '../../../contract/shared/money.ts'
import { byNumber, byText } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import type { Offer } from './offers.ts'
import type { ServerType } from './queries.ts'
import { formatCount } from '../../../contract/shared/format-list.ts'

interface TypeSelection {
  name: string
  chosen: string | undefined
  onChoose: (id: string) => void
  invalid: boolean
}

const least: [string, string] = ['least first', 'most first']

export const typeColumns = (choosing: TypeSelection): [Column<Offer>, ...Column<Offer>[]] => [
  {
    head: 'Type',
    cell: (offer) => <TypeChoice offer={offer} {...choosing} />,
    sort: byText(({ type }) => type.name),
  },
  {
    head: 'CPUs',
    cell: ({ type: { cpus, cpu_kind: kind } }) => (
      <span className="whitespace-nowrap">
        {cpus} <span className="text-muted">{kind}</span>
      </span>
    ),
    desk: true,
    sort: byNumber(({ type }) => type.cpus, least),
  },
  {
    head: 'Memory',
    align: 'right',
    cell: ({ type }) => <span className="whitespace-nowrap">{formatBytes(type.memory_bytes)}</span>,
    desk: true,
    sort: byNumber(({ type }) => type.memory_bytes, least),
  },
  {
    head: 'Disk',
    align: 'right',
    cell: ({ type }) => <span className="whitespace-nowrap">{formatBytes(type.disk_bytes)}</span>,
    desk: true,
    sort: byNumber(({ type }) => type.disk_bytes, least),
  },
  {
    head: 'Processor',
    cell: ({ type }) => processorLabel(type),
    roomy: true,
    desk: true,
    sort: byText(({ type }) => processorLabel(type)),
  },
  {
    head: 'Monthly',
    align: 'right',
    cell: ({ price }) => formatPrice(price),
    sort: byNumber(({ price }) => price.monthly, ['cheapest first', 'most expensive first']),
  },
]

export const processorLabel = ({ architecture }: Pick<ServerType, 'architecture'>) =>
  architecture === 'aarch64' ? 'Arm' : 'x86'

export const formatServerSize = (type: ServerType) =>
  [
    formatCount(type.cpus, 'CPU'),
    `${formatBytes(type.memory_bytes)} memory`,
    `${formatBytes(type.disk_bytes)} disk`,
    processorLabel(type),
  ].join(' · ')

/** Radio button of a type. A click anywhere in the row selects it. */
function TypeChoice({
  offer: { type, available, elsewhere },
  name,
  chosen,
  onChoose,
  invalid,
}: TypeSelection & { offer: Offer }) {
  return (
    <label
      className={classNames(
        'flex items-start gap-2.5 py-2 after:absolute after:inset-0 max-sm:py-0',
        !available && 'text-muted',
      )}
    >
      <input
        type="radio"
        name={name}
        value={type.id}
        checked={type.id === chosen}
        disabled={!available}
        onChange={() => onChoose(type.id)}
        data-invalid={(invalid && available) || undefined}
        className="relative z-1 mt-px size-4 shrink-0 accent-accent max-sm:size-5"
      />
      <span className="flex min-w-0 flex-col gap-0.5">
        <span className="flex flex-wrap items-center gap-x-2 gap-y-1">
          {type.name}
          {!available && <Badge tone="neutral">Sold out</Badge>}
        </span>
        <span className="text-sm font-normal text-muted sm:hidden">{formatServerSize(type)}</span>
        {elsewhere.length > 0 && (
          <span className="text-xs font-normal">Available in {elsewhere.join(', ')}</span>
        )}
      </span>
    </label>
  )
}
