import { useInfiniteQuery } from '@tanstack/react-query'
import { Ellipsis, SearchX } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '../../../contract/permissions.ts'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem } from '../../ui/dropdown-menu.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/search-input.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { LeaveDialog } from './leave-dialog.tsx'
import { MemberName } from './member-name.tsx'
import { MemberRole } from './member-role.tsx'
import { type Member, isOnlyOwner, mayManage, membersQuery } from './members.ts'
import { RemoveMemberDialog } from './remove-member-dialog.tsx'

/** `me` is the person signed in, `mine` their role here. */
export function MembersCard({ me, mine }: { me: string; mine: Role }) {
  const query = useInfiniteQuery(membersQuery)
  const [q, setQ] = useParam('q')
  const [going, setGoing] = useState<Member>()
  const all = query.data ?? []
  const rows = query.data?.filter(({ name, email }) => matches(q, name, email))
  const self = ({ user_id: user }: Member) => user === me
  const removable = (member: Member) => (self(member) || mayManage(mine, member)) && !isOnlyOwner(member, all)

  const columns: [Column<Member>, ...Column<Member>[]] = [
    { head: 'Name', cell: (member) => <MemberName member={member} self={self(member)} /> },
    {
      head: 'Role',
      cell: (member) => (
        <MemberRole
          member={member}
          self={self(member)}
          mine={mine}
          changeable={mayManage(mine, member) && !isOnlyOwner(member, all)}
        />
      ),
    },
    { head: 'Two-factor', cell: ({ two_factor: on }) => (on ? 'Yes' : 'No') },
    { head: 'Joined', cell: ({ joined_at: at }) => <Time at={at} /> },
  ]

  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search members" />
      <div className="overflow-hidden rounded-lg border border-line bg-raised">
        {query.isError && !rows && (
          <Problem title="The members could not be loaded" onRetry={() => void query.refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {rows?.length === 0 && (
          <EmptyState
            icon={SearchX}
            title={`No members match “${q}”`}
            action={<Button onClick={() => setQ('')}>Clear the search</Button>}
          />
        )}
        {rows?.length !== 0 && !(query.isError && !rows) && (
          <Table
            label="Members"
            columns={columns}
            rows={rows}
            rowKey={({ id }) => id}
            skeletonRows={3}
            actions={(member) => removable(member) && <Actions {...{ member, self, setGoing }} />}
          />
        )}
      </div>
      <LoadMore query={query} />
      {going && self(going) && <LeaveDialog memberId={going.id} onClose={() => setGoing(undefined)} />}
      {going && !self(going) && <RemoveMemberDialog member={going} onClose={() => setGoing(undefined)} />}
    </>
  )
}

interface ActionsProps {
  member: Member
  self: (member: Member) => boolean
  setGoing: (member: Member) => void
}

function Actions({ member, self, setGoing }: ActionsProps) {
  return (
    <DropdownMenu
      align="end"
      trigger={
        <Button variant="ghost" size="small" icon aria-label={`Actions for ${member.name}`}>
          <Ellipsis aria-hidden />
        </Button>
      }
    >
      <MenuItem danger onSelect={() => setGoing(member)}>
        {self(member) ? 'Leave the workspace' : 'Remove from the workspace'}
      </MenuItem>
    </DropdownMenu>
  )
}

const matches = (q: string, ...texts: string[]) =>
  texts.some((text) => text.toLowerCase().includes(q.toLowerCase()))
