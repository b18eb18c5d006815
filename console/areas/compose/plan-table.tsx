import { Badge } from '../../ui/badge.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import type { DeploymentPlan } from './plan-query.ts'
import { actionLabel } from './plan-labels.ts'
import { sortByName } from './service-labels.ts'

type Planned = Pick<DeploymentPlan['services'][number], 'name' | 'action' | 'reasons'>

export const PlanTable = ({ services }: { services: readonly Planned[] }) => (
  <div className="overflow-hidden rounded-md border border-line">
    <Table label="Plan" columns={columns} rows={sortByName(services)} rowKey={({ name }) => name} />
  </div>
)

const columns: [Column<Planned>, ...Column<Planned>[]] = [
  {
    head: 'Service',
    cell: ({ name }) => <bdi className="wrap-anywhere sm:inline-block sm:min-w-24">{name}</bdi>,
  },
  {
    head: 'Action',
    cell: ({ action }) => {
      const [tone, word] = actionLabel(action)
      return <Badge tone={tone}>{word}</Badge>
    },
    narrow: true,
  },
  {
    head: 'Reason',
    cell: ({ action, reasons }) => (
      <span className="flex flex-col gap-0.5 py-2 wrap-anywhere max-sm:py-0">
        {reasons.map((sentence) => (
          <span key={sentence}>{sentence}</span>
        ))}
        <span className="text-muted">{actionLabel(action)[2]}</span>
      </span>
    ),
  },
]
