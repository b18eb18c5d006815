import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import type { Plan } from './plan-query.ts'
import { actionWord } from './plan-words.ts'
import { byName } from './services-words.ts'

type Planned = Pick<Plan['services'][number], 'name' | 'action' | 'why'>

/** What happens with each service, and why. */
export const PlanTable = ({ services }: { services: readonly Planned[] }) => (
  <div className="overflow-hidden rounded-md border border-line">
    <Table label="Plan" columns={columns} rows={byName(services)} rowKey={({ name }) => name} />
  </div>
)

const columns: [Column<Planned>, ...Column<Planned>[]] = [
  {
    head: 'Service',
    cell: ({ name }) => <bdi className="wrap-anywhere sm:inline-block sm:min-w-24">{name}</bdi>,
  },
  {
    head: 'What happens',
    cell: ({ action }) => {
      const [tone, word] = actionWord(action)
      return <Badge tone={tone}>{word}</Badge>
    },
    narrow: true,
  },
  {
    head: 'Why',
    cell: ({ action, why }) => (
      <span className="flex flex-col gap-0.5 py-2 wrap-anywhere max-sm:py-0">
        {why.map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
        <span className="text-muted">{actionWord(action)[2]}</span>
      </span>
    ),
  },
]
