import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound, Plus } from 'lucide-react'
import { useState } from 'react'
import { matchesTerm } from '../../lib/matches-term.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { type ApiToken, apiTokensQuery, useRevokeApiToken, workspaceTokensQuery } from './queries.ts'
import { Badge } from '../../ui/badge.tsx'
import { byText, byTime } from '../../ui/table/sort.ts'
import { Time } from '../../ui/time.tsx'
import { isPast } from './expiry.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

export function ApiTokensCard({ workspace, onNew }: { workspace: string; onNew: () => void }) {
  const query = useInfiniteQuery(apiTokensQuery)
  const [chosen, setChosen] = useState<ApiToken>()
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
        description={`Let scripts and CI act on your behalf in ${workspace}.`}
        action={!none && add}
        flush
      >
        {!none && (
          <div className="border-b border-line px-4 py-3">
            <SearchInput value={q} onChange={setQ} label="Search API tokens" />
          </div>
        )}
        <QueryTable
          label="API tokens"
          things="API tokens"
          query={query}
          rows={tokens}
          search={{ q, setQ }}
          empty={{
            icon: KeyRound,
            title: 'No API tokens yet',
            text: 'Create a token to call the API from scripts or CI.',
            action: add,
          }}
          columns={tokenColumns}
          rowKey={({ id }) => id}
          skeletonRows={2}
          sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
          actions={revokeButton(setChosen)}
        />
      </Card>
      <LoadMore query={query} />
      {chosen && <RevokeDialog token={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

const revokeButton = (onChoose: (token: ApiToken) => void) => (token: ApiToken) => (
  <Button variant="ghost" size="small" aria-label={`Revoke ${token.name}`} onClick={() => onChoose(token)}>
    Revoke
  </Button>
)

const RevokeDialog = ({ token, onClose }: { token: ApiToken; onClose: () => void }) => (
  <ActionDialog
    title={`Revoke ${token.name}?`}
    action="Revoke token"
    mutation={useRevokeApiToken()}
    input={token.id}
    pending="Revoking…"
    done="API token revoked"
    onClose={onClose}
  >
    Requests that use this token will start to fail. This cannot be undone.
  </ActionDialog>
)

const scopeLabel = { read: 'Read', deploy: 'Deploy', manage: 'Manage' }

export const tokenColumns: [Column<ApiToken>, ...Column<ApiToken>[]] = [
  {
    head: 'Name',
    cell: ({ name }) => <bdi className="wrap-anywhere">{name}</bdi>,
    sort: byText(({ name }) => name),
  },
  {
    head: 'Scope',
    cell: ({ scope }) => scopeLabel[scope],
    sort: byText(({ scope }) => scope),
    phone: 'second',
  },
  { head: 'Access', cell: (token) => <Access token={token} />, roomy: true, desk: true },
  {
    head: 'Expires',
    cell: ({ expires_at: at }) => <Expires at={at} />,
    phone: 'second-end',
    sort: byTime(({ expires_at: at }) => at, { labels: ['soonest first', 'latest first'] }),
  },
  {
    head: 'Last used',
    desk: true,
    cell: ({ last_used_at: at }) => (at === null ? 'Never' : <Time at={at} />),
    sort: byTime(({ last_used_at: at }) => at, {
      none: -Infinity,
      labels: ['oldest first', 'newest first'],
    }),
  },
]

function Access({ token: { projects, applications } }: { token: ApiToken }) {
  const targets = projects ?? applications
  if (!targets) return 'All'
  return <span className="wrap-anywhere">{targets.map(({ name }) => name).join(', ') || 'None'}</span>
}

function Expires({ at }: { at: string | null }) {
  if (at !== null && isPast(at)) return <Badge tone="red">Expired</Badge>
  return (
    <span>
      <span className="sm:hidden">Expires: </span>
      {at === null ? <span>Never</span> : <Time at={at} />}
    </span>
  )
}

const columns: [Column<ApiToken>, ...Column<ApiToken>[]] = [
  ...tokenColumns,
  {
    head: 'Member',
    cell: ({ user }) => (
      <bdi title={user.email} className="wrap-anywhere">
        {user.name}
      </bdi>
    ),
  },
]

export function WorkspaceTokensCard() {
  const query = useInfiniteQuery(workspaceTokensQuery)
  const [chosen, setChosen] = useState<ApiToken>()
  return (
    <>
      <Card title="API tokens" description="API tokens of all members of this workspace." flush>
        <QueryTable
          label="API tokens of all members"
          things="API tokens"
          query={query}
          empty={{
            icon: KeyRound,
            title: 'No API tokens yet',
            text: 'Members create tokens in their settings. Owners can revoke them here.',
          }}
          columns={columns}
          rowKey={({ id }) => id}
          actions={revokeButton(setChosen)}
        />
      </Card>
      <LoadMore query={query} />
      {chosen && <RevokeDialog token={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}
