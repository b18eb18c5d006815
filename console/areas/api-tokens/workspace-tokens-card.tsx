import { useInfiniteQuery } from '@tanstack/react-query'
import { KeyRound } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { DeleteTokenDialog } from './delete-token-dialog.tsx'
import { type ApiToken, workspaceTokensQuery } from './queries.ts'
import { tokenColumns } from './token-columns.tsx'

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
  const tokens = query.data
  const failed = query.isError && !tokens
  return (
    <>
      <Card title="API tokens" description="API tokens of all members of this workspace." flush>
        {failed && (
          <Problem title="The API tokens could not be loaded" onRetry={() => void query.refetch()}>
            Nothing was changed.
          </Problem>
        )}
        {tokens?.length === 0 && (
          <EmptyState icon={KeyRound} title="No API tokens yet">
            Members create tokens in their settings. Owners can revoke them here.
          </EmptyState>
        )}
        {tokens?.length !== 0 && !failed && (
          <Table
            label="API tokens of all members"
            columns={columns}
            rows={tokens}
            rowKey={({ id }) => id}
            actions={revokeButton(setChosen)}
          />
        )}
      </Card>
      <LoadMore query={query} />
      {chosen && <DeleteTokenDialog token={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

const revokeButton = (onChoose: (token: ApiToken) => void) => (token: ApiToken) => (
  <Button variant="ghost" size="small" aria-label={`Revoke ${token.name}`} onClick={() => onChoose(token)}>
    Revoke
  </Button>
)
