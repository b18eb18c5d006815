import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { type MemberKind, useChangeMembers } from './mutations.ts'

interface Pages<Row> {
  data: Row[] | undefined
  isError: boolean
  refetch: () => Promise<unknown>
  hasNextPage: boolean
  isFetchingNextPage: boolean
  fetchNextPage: () => Promise<unknown>
}

interface MemberCardProps<Row> {
  projectId: string
  kind: MemberKind
  icon: LucideIcon
  /** Text of the empty state. */
  none: string
  query: Pages<Row>
  columns: readonly [Column<Row>, ...Column<Row>[]]
  href: (row: Row) => string
  more?: ReactNode
  /** Undefined for users who may not change the project. */
  onChoose: (() => void) | undefined
}

export function MemberCard<Row extends { id: string; name: string }>(props: MemberCardProps<Row>) {
  const { projectId, kind, icon, none, query, columns, href, more, onChoose } = props
  const change = useChangeMembers(projectId, kind)
  const { data: rows } = query
  const lost = query.isError && !rows
  const title = kind === 'applications' ? 'Applications' : 'Servers'
  const action = onChoose && (
    <div className="flex flex-wrap gap-2">
      {more}
      <Button size="small" onClick={onChoose}>
        Choose {kind}
      </Button>
    </div>
  )
  return (
    <Card title={title} flush action={rows?.length !== 0 && action}>
      {lost && (
        <Problem title={`Couldn’t load ${kind}`} onRetry={() => void query.refetch()}>
          The request failed.
        </Problem>
      )}
      {rows?.length === 0 && (
        <EmptyState icon={icon} title={`No ${kind} in this project`} action={action}>
          {none}
        </EmptyState>
      )}
      {rows?.length !== 0 && !lost && (
        <Table
          label={title}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          href={href}
          skeletonRows={2}
          {...(onChoose && { actions: takeOut(change) })}
        />
      )}
      {query.hasNextPage && (
        <div className="border-t border-line p-3">
          <LoadMore query={query} />
        </div>
      )}
    </Card>
  )
}

const takeOut = ({ isPending, variables, mutate }: ReturnType<typeof useChangeMembers>) =>
  function TakeOut({ id, name }: { id: string; name: string }) {
    return (
      <Button
        variant="ghost"
        size="small"
        aria-label={`Remove ${name}`}
        pending={isPending && variables.remove.includes(id) && 'Removing…'}
        onClick={() => mutate({ add: [], remove: [id] })}
      >
        Remove
      </Button>
    )
  }
