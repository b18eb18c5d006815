import { FileCode, type LucideIcon, Pencil, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { matchesTerm } from '../../../lib/matches-term.ts'
import { useParam } from '../../../lib/use-param.ts'
import { Card } from '../../../ui/card.tsx'
import { SearchInput } from '../../../ui/form/search-input.tsx'
import type { Column } from '../../../ui/table/table.tsx'
import { ButtonLink } from '../../../ui/button.tsx'
import { ActionsMenu, MenuItem } from '../../../ui/menu/dropdown-menu.tsx'
import { applicationPath } from '../../../paths.ts'
import { QueryTable } from '../../../ui/table/query-table.tsx'

interface EntriesCardProps<Row> {
  title: string
  description: ReactNode
  /** The action appears beside the title, or in the empty state while the list is empty. */
  action?: ReactNode
  tools?: ReactNode
  footer?: ReactNode
  query: { data: Row[] | undefined; error: Error | null; refetch: () => unknown }
  things: string
  empty: { icon?: LucideIcon; title: string; text: string; compact?: boolean }
  texts?: (row: Row) => string[]
  columns: readonly [Column<Row>, ...Column<Row>[]]
  actions?: ((row: Row) => ReactNode) | undefined
}

export function EntriesCard<Row extends { id: string }>(props: EntriesCardProps<Row>) {
  const { title, description, action, tools, footer, query, things, empty, texts, columns, actions } = props
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  const none = query.data?.length === 0
  return (
    <Card title={title} description={description} action={!none && action} footer={footer} flush>
      {!none && texts && (
        <div className="flex flex-wrap items-center justify-between gap-3 border-b border-line px-4 py-3">
          <SearchInput value={q} onChange={setQ} label={`Search ${things}`} />
          {tools}
        </div>
      )}
      <QueryTable
        label={title}
        things={things}
        query={query}
        rows={texts ? query.data?.filter((row) => matchesTerm(q, ...texts(row))) : query.data}
        {...(texts && { search: { q, setQ } })}
        empty={{ ...empty, action }}
        columns={columns}
        rowKey={({ id }) => id}
        skeletonRows={3}
        sort={{ value: sort, onChange: setSort }}
        {...(actions && { actions })}
      />
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

const EntryMenu = ({ name, onEdit, onRemove }: EntryMenuProps) => (
  <ActionsMenu name={name}>
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
  </ActionsMenu>
)

export const EditComposeLink = ({ applicationId }: { applicationId: string }) => (
  <ButtonLink to={`${applicationPath(applicationId, 'settings')}#compose`}>
    <FileCode aria-hidden />
    Edit the compose file
  </ButtonLink>
)
