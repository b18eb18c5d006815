import { useInfiniteQuery } from '@tanstack/react-query'
import { Ellipsis, KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { matches } from '../../lib/matches.ts'
import { useEveryPage } from '../../lib/use-every-page.ts'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { DropdownMenu, MenuItem } from '../../ui/dropdown-menu.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { NothingFound } from '../../ui/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { byText, byTime } from '../../ui/sort.ts'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteTokenDialog } from './delete-token-dialog.tsx'
import { isPast } from './expiry.ts'
import { type ApiToken, apiTokensQuery } from './queries.ts'

const scopeLabel = { read: 'Read', deploy: 'Deploy', manage: 'Manage' }

const columns: [Column<ApiToken>, ...Column<ApiToken>[]] = [
  {
    head: 'Name',
    cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi>,
    sort: byText(({ name }) => name),
  },
  { head: 'Scope', cell: ({ scope }) => scopeLabel[scope], sort: byText(({ scope }) => scope) },
  {
    head: 'Expires',
    cell: ({ expires_at: at }) => <Expires at={at} />,
    sort: byTime(({ expires_at: at }) => at, { says: ['soonest first', 'latest first'] }),
  },
  {
    head: 'Last used',
    cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />),
    sort: byTime(({ last_used_at: at }) => at, {
      none: -Infinity,
      says: ['longest ago first', 'latest first'],
    }),
  },
]

/** `workspace` is the name of the one they work in. */
export function ApiTokensCard({ workspace, onNew }: { workspace: string; onNew: () => void }) {
  const query = useInfiniteQuery(apiTokensQuery)
  const [going, setGoing] = useState<ApiToken>()
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  useEveryPage(query, q !== '' || sort !== '')
  const tokens = query.data?.filter(({ name }) => matches(q, name))
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
        description={`Programs use them to act as you in ${workspace}.`}
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
            With a token, a script or a pipeline calls the API without your password.
          </EmptyState>
        )}
        {tokens?.length !== 0 && !(query.isError && !tokens) && (
          <Table
            label="API tokens"
            columns={columns}
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

function Expires({ at }: { at: string | null }) {
  if (at === null) return 'Never'
  return isPast(at) ? <Badge tone="red">Expired</Badge> : <Time at={at} />
}

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
