import { useInfiniteQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { matchesTerm } from '../../lib/matches-term.ts'
import { useAllPages } from '../../lib/http/use-all-pages.ts'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DropdownMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Table } from '../../ui/table/table.tsx'
import { DeleteTokenDialog } from './delete-token-dialog.tsx'
import { type ApiToken, apiTokensQuery } from './queries.ts'
import { tokenColumns } from './token-columns.tsx'

export function ApiTokensCard({ workspace, onNew }: { workspace: string; onNew: () => void }) {
  const query = useInfiniteQuery(apiTokensQuery)
  const [going, setGoing] = useState<ApiToken>()
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  useAllPages(query, q !== '' || sort !== '')
  const tokens = query.data?.filter(({ name }) => matchesTerm(q, name))
  const none = query.data?.length === 0
  const add = (
    <Button variant="primary" onClick={onNew}>
      <Plus aria-hidden />
      New token
    </Button>
  )
  return (
    <>
      <Card
        title="API tokens"
        description={`Scripts and CI use API tokens to act as you in ${workspace}.`}
        action={!none && add}
        flush
      >
        {query.isError && !tokens && (
          <Problem title="The API tokens could not be loaded" onRetry={() => void query.refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {!none && (
          <div className="border-b border-line px-4 py-3">
            <SearchInput value={q} onChange={setQ} label="Search API tokens" />
          </div>
        )}
        {!none && tokens?.length === 0 && <NothingFound things="API tokens" q={q} onClear={() => setQ('')} />}
        {none && (
          <EmptyState icon={KeyRound} title="No API tokens yet" action={add}>
            Create a token to call the API from scripts or CI.
          </EmptyState>
        )}
        {tokens?.length !== 0 && !(query.isError && !tokens) && (
          <Table
            label="API tokens"
            columns={tokenColumns}
            rows={tokens}
            rowKey={({ id }) => id}
            skeletonRows={2}
            sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
            actions={actionsFor(setGoing)}
          />
        )}
      </Card>
      <LoadMore query={query} />
      {going && <DeleteTokenDialog token={going} onClose={() => setGoing(undefined)} />}
    </>
  )
}

const actionsFor = (setGoing: (token: ApiToken) => void) => (token: ApiToken) => (
  <Actions token={token} onDelete={() => setGoing(token)} />
)

function Actions({ token, onDelete }: { token: ApiToken; onDelete: () => void }) {
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${token.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem danger onSelect={onDelete}>
        Delete token
      </MenuItem>
    </DropdownMenu>
  )
}
