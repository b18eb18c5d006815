import { Ellipsis, FileCode, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { matchesTerm } from '../../../lib/matches-term.ts'
import { useParam } from '../../../lib/use-param.ts'
import { Card } from '../../../ui/card.tsx'
import { EmptyState } from '../../../ui/empty-state.tsx'
import { NothingFound } from '../../../ui/table/nothing-found.tsx'
import { Problem } from '../../../ui/problem.tsx'
import { SearchInput } from '../../../ui/form/search-input.tsx'
import { type Column, Table } from '../../../ui/table/table.tsx'
import { Button, ButtonLink } from '../../../ui/button.tsx'
import { DropdownMenu, MenuItem } from '../../../ui/menu/dropdown-menu.tsx'
import { applicationPath } from '../../../paths.ts'

interface EntriesCardProps<Row> {
  title: string
  description: ReactNode
  /** Shown beside the title; while the list is empty, inside the empty state. */
  action?: ReactNode
  tools?: ReactNode
  footer?: ReactNode
  query: { data: Row[] | undefined; isError: boolean; refetch: () => unknown }
  /** Plural noun, such as "variables". */
  things: string
  empty: { icon: LucideIcon; title: string; text: string }
  /** Searched texts; without it there is no search field. */
  texts?: (row: Row) => string[]
  columns: readonly [Column<Row>, ...Column<Row>[]]
  actions?: ((row: Row) => ReactNode) | undefined
}

export function EntriesCard<Row extends { id: string }>(props: EntriesCardProps<Row>) {
  const { title, description, action, tools, footer, query, things, empty, texts, columns, actions } = props
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const none = query.data?.length === 0
  const lost = query.isError && !query.data
  const rows = texts ? query.data?.filter((row) => matchesTerm(q, ...texts(row))) : query.data
  return (
    <Card title={title} description={description} action={!none && action} footer={footer} flush>
      {lost && (
        <Problem title={`Couldn’t load ${things}`} onRetry={() => void query.refetch()}>
          The request failed.
        </Problem>
      )}
      {none && (
        <EmptyState icon={empty.icon} title={empty.title} action={action}>
          {empty.text}
        </EmptyState>
      )}
      {!none && !lost && texts && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
          <SearchInput value={q} onChange={setQ} label={`Search ${things}`} />
          {tools}
        </div>
      )}
      {!none && rows?.length === 0 && <NothingFound things={things} q={q} onClear={() => setQ('')} />}
      {!lost && rows?.length !== 0 && (
        <Table
          label={title}
          columns={columns}
          rows={rows}
          rowKey={({ id }) => id}
          skeletonRows={3}
          sort={{ value: sort, onChange: setSort }}
          {...(actions ? { actions } : {})}
        />
      )}
    </Card>
  )
}

interface EntryMenuProps {
  name: string
  onEdit: (() => void) | undefined
  onRemove: () => void
}

export const entryActions =
  <Row,>(
    nameOf: (row: Row) => string,
    ask: (verb: 'edit' | 'remove', row: Row) => void,
    mayEdit: (row: Row) => boolean = () => true,
  ) =>
  (row: Row) => (
    <EntryMenu
      name={nameOf(row)}
      onEdit={mayEdit(row) ? () => ask('edit', row) : undefined}
      onRemove={() => ask('remove', row)}
    />
  )

function EntryMenu({ name, onEdit, onRemove }: EntryMenuProps) {
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      {onEdit && (
        <MenuItem onSelect={onEdit}>
          <Pencil aria-hidden />
          Edit…
        </MenuItem>
      )}
      <MenuItem danger onSelect={onRemove}>
        <Trash2 aria-hidden />
        Remove…
      </MenuItem>
    </DropdownMenu>
  )
}

export const EditComposeLink = ({ applicationId }: { applicationId: string }) => (
  <ButtonLink to={`${applicationPath(applicationId, 'settings')}#compose`}>
    <FileCode aria-hidden />
    Edit the compose file
  </ButtonLink>
)
