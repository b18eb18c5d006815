import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { Role } from '../../../contract/shared/permissions.ts'
import { matchesTerm } from '../../lib/matches-term.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { LeaveWorkspaceDialog } from './settings-cards.tsx'
import { type Member, membersQuery, useChangeRole, useRemoveMember } from './members.ts'
import { canManageMember, isOnlyOwner } from './can-manage-member.ts'
import { toast } from 'sonner'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { useWorkspace } from './queries.ts'
import { compareByRole, readRole, roleLabel, roleOptions } from '../../lib/role-labels.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { byNumber, byText, byTime } from '../../ui/table/sort.ts'
import { Time } from '../../ui/time.tsx'
import { Avatar } from '../../ui/avatar.tsx'
import { Select } from '../../ui/form/select.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { Card } from '../../ui/card.tsx'

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
      <Card flush>
        <QueryTable
          label="Members"
          things="members"
          query={query}
          rows={rows}
          search={{ q, setQ }}
          empty={{ title: 'No members' }}
          columns={memberColumns(looking)}
          rowKey={({ id }) => id}
          skeletonRows={3}
          sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
          {...memberActions(looking, setGoing)}
        />
      </Card>
      <LoadMore query={query} />
      {going?.user_id === me && <LeaveWorkspaceDialog memberId={going.id} onClose={stay} />}
      {going && going.user_id !== me && <RemoveMemberDialog member={going} onClose={stay} />}
    </>
  )
}

function RemoveMemberDialog({ member, onClose }: { member: Member; onClose: () => void }) {
  const { name, email } = member
  const workspace = useWorkspace()
  return (
    <ActionDialog
      title={`Remove ${name}?`}
      action="Remove member"
      mutation={useRemoveMember()}
      input={member.id}
      pending="Removing…"
      done="Member removed"
      onClose={onClose}
    >
      {name} ({email}) loses access to {workspace.name} immediately, and their API tokens for it stop working.
      You can invite them again later.
    </ActionDialog>
  )
}

interface Looking {
  me: string
  mine: Role
  members: readonly Member[]
}

const memberColumns = ({ me, mine, members }: Looking): [Column<Member>, ...Column<Member>[]] => [
  {
    head: 'Name',
    cell: (member) => <MemberName member={member} self={member.user_id === me} />,
    sort: byText(({ name }) => name),
  },
  {
    head: 'Role',
    cell: (member) => (
      <MemberRole
        member={member}
        self={member.user_id === me}
        mine={mine}
        changeable={canManageMember(mine, member) && !isOnlyOwner(member, members)}
      />
    ),
    sort: compareByRole,
    phone: 'first-end',
  },
  {
    head: 'Two-factor',
    desk: true,
    cell: ({ two_factor: on }) => (on === null ? '–' : on ? 'Yes' : 'No'),
    sort: byNumber(({ two_factor: on }) => Number(on), ['disabled first', 'enabled first']),
  },
  {
    head: 'Joined',
    desk: true,
    cell: ({ joined_at: at }) => <Time at={at} />,
    sort: byTime(({ joined_at: at }) => at),
  },
]

/** Returns the actions of a row. The result is undefined if no member can be removed, which hides the column. */
function memberActions({ me, mine, members }: Looking, onGo: (member: Member) => void) {
  const removable = (member: Member) =>
    (member.user_id === me || canManageMember(mine, member)) && !isOnlyOwner(member, members)
  if (!members.some(removable)) return {}
  return {
    actions: (member: Member) =>
      removable(member) && (
        <ActionsMenu name={member.name}>
          <MenuItem danger onSelect={() => onGo(member)}>
            {member.user_id === me ? 'Leave workspace' : 'Remove from workspace'}
          </MenuItem>
        </ActionsMenu>
      ),
  }
}

const MemberName = ({ member, self }: { member: Member; self: boolean }) => (
  <div className="flex min-w-0 items-center gap-3 py-1.5 max-sm:py-0">
    <Avatar name={member.name} />
    <div className="flex min-w-0 flex-col">
      <span className="wrap-anywhere">
        <bdi>{member.name}</bdi>
        {self && <span className="font-normal text-muted"> (you)</span>}
      </span>
      <span title={member.email} className="text-sm font-normal wrap-anywhere text-muted max-sm:truncate">
        {member.email}
      </span>
    </div>
  </div>
)

interface MemberRoleProps {
  member: Member
  self: boolean
  mine: Role
  changeable: boolean
}

function MemberRole({ member, self, mine, changeable }: MemberRoleProps) {
  const change = useChangeRole()
  const [asked, setAsked] = useState<Role>()
  if (!changeable) return roleLabel(member.role)

  async function give(role: Role) {
    try {
      await change.mutateAsync({ id: member.id, role })
      toast.success(`${self ? 'You are' : `${member.name} is`} now ${withArticle(role)}`)
    } finally {
      setAsked(undefined)
    }
  }

  function pick(value: string) {
    const role = readRole(value)
    if (!role || role === member.role) return
    // Users who lower their own role cannot raise it again, so ask first.
    if (self) setAsked(role)
    else void give(role).catch(() => undefined)
  }

  return (
    <>
      <Select
        aria-label={`Role of ${member.name}`}
        value={change.isPending ? change.variables.role : member.role}
        disabled={change.isPending}
        onValueChange={pick}
        options={roleOptions(mine)}
        className="w-28! text-sm"
      />
      <ConfirmDialog
        open={asked !== undefined}
        onOpenChange={() => setAsked(undefined)}
        title="Change your own role?"
        action="Change role"
        pending={change.isPending && 'Changing…'}
        onConfirm={() => asked && void give(asked).catch(() => undefined)}
      >
        You become {withArticle(asked ?? member.role)}. You cannot undo this yourself.
      </ConfirmDialog>
    </>
  )
}

const withArticle = (role: Role) => `${/^[ao]/.test(role) ? 'an' : 'a'} ${role}`
