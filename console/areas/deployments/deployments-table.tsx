import { dialogOpenedState } from '../../lib/use-dialog.ts'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeploymentBadge } from './deployment-badge.tsx'
import { deploymentType } from './deployment-labels.ts'
import type { Deployment } from './queries.ts'
import { DeploymentDuration } from './duration.tsx'

interface DeploymentsTableProps {
  label: string
  /** Undefined while loading. */
  deployments: readonly Deployment[] | undefined
  /** Adds a column for the application. */
  everywhere?: boolean
}

/** Each row opens the deployment in a dialog. */
export function DeploymentsTable({ label, deployments, everywhere = false }: DeploymentsTableProps) {
  return (
    <Table
      label={label}
      columns={everywhere ? [application, type, status, message, actor, when] : applicationColumns}
      rows={deployments}
      rowKey={({ id }) => id}
      href={({ id }) => `?deploymentId=${encodeURIComponent(id)}`}
      linkState={dialogOpenedState}
      skeletonRows={3}
    />
  )
}

const application: Column<Deployment> = {
  head: 'Application',
  cell: ({ target }) => <bdi>{target.name}</bdi>,
}
const type: Column<Deployment> = { head: 'Type', cell: (row) => deploymentType(row.type), desk: true }
const status: Column<Deployment> = {
  head: 'Status',
  cell: (row) => (
    <span className="inline-flex items-center gap-2">
      <DeploymentBadge deployment={row} />
      <span className="text-muted sm:hidden">
        <Time at={row.created_at} />
        {row.started_at !== null && (
          <>
            {' · '}
            <DeploymentDuration from={row.started_at} to={row.finished_at} />
          </>
        )}
      </span>
    </span>
  ),
}
const message: Column<Deployment> = {
  head: 'Message',
  cell: (row) =>
    row.message && (
      <span dir="auto" className="line-clamp-1 text-muted sm:text-left" title={row.message}>
        {row.message}
      </span>
    ),
}
const actor: Column<Deployment> = {
  head: 'By',
  cell: (row) => (
    <span dir="auto" className="block max-w-40 truncate sm:text-left" title={row.actor.name}>
      {row.actor.name}
    </span>
  ),
  desk: true,
}
const when: Column<Deployment> = {
  head: 'When',
  cell: ({ created_at: at }) => <Time at={at} />,
  narrow: true,
  desk: true,
}

const applicationColumns: [Column<Deployment>, ...Column<Deployment>[]] = [
  {
    head: 'Deployment',
    cell: (row) => (
      <span dir="auto" className="line-clamp-1 break-all sm:text-left" title={row.message ?? undefined}>
        {row.message ?? deploymentType(row.type)}
      </span>
    ),
  },
  type,
  status,
  {
    head: 'Release',
    cell: ({ release }) => release && <span className="tabular-nums">{release.number}</span>,
    narrow: true,
    desk: true,
  },
  { ...actor, roomy: true },
  when,
  {
    head: 'Duration',
    cell: ({ started_at: from, finished_at: to }) => <DeploymentDuration from={from} to={to} />,
    narrow: true,
    desk: true,
  },
]
