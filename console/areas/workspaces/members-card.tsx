import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../../contract/shared/permissions.ts'
import { matchesTerm } from '../../lib/matches-term.ts'
import { useAllPages } from '../../lib/http/use-all-pages.ts'
import { useParam } from '../../lib/use-param.ts'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { Table } from '../../ui/table/table.tsx'
import { LeaveWorkspaceDialog } from './leave-workspace-dialog.tsx'
import { memberActions, memberColumns } from './member-columns.tsx'
import { type Member, membersQuery, useRemoveMember } from './members.ts'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWorkspace } from './queries.ts'

export function MembersCard({ me, mine }: { me: string; mine: Role }) {
  const query = useInfiniteQuery(membersQuery)
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  useAllPages(query, q !== '' || sort !== '')
  const [going, setGoing] = useState<Member>()
  const looking = { me, mine, members: query.data ?? [] }
  const rows = query.data?.filter(({ name, email }) => matchesTerm(q, name, email))
  const stay = () => setGoing(undefined)
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search members" />
      <div className="overflow-hidden rounded-lg border border-line bg-raised">
        {query.isError && !rows && (
          <Problem title="The members could not be loaded" onRetry={() => void query.refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {rows?.length === 0 && <NothingFound things="members" q={q} onClear={() => setQ('')} />}
        {rows?.length !== 0 && !(query.isError && !rows) && (
          <Table
            label="Members"
            columns={memberColumns(looking)}
            rows={rows}
            rowKey={({ id }) => id}
            skeletonRows={3}
            sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
            {...memberActions(looking, setGoing)}
          />
        )}
      </div>
      <LoadMore query={query} />
      {going?.user_id === me && <LeaveWorkspaceDialog memberId={going.id} onClose={stay} />}
      {going && going.user_id !== me && <RemoveMemberDialog member={going} onClose={stay} />}
    </>
  )
}

function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const workspace = useWorkspace()
  const remove = useRemoveMember()

  function confirm() {
    remove.mutate(member.id, {
      onSuccess: () => {
        toast.success('Member removed')
        onClose()
      },
    })
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Remove ${member.name}?`}
      action="Remove member"
      pending={remove.isPending && 'Removing…'}
      onConfirm={confirm}
    >
      {member.name} ({member.email}) loses access to {workspace.name} immediately, and their API tokens for it
      stop working. You can invite them again later.
    </ConfirmDialog>
  )
}
