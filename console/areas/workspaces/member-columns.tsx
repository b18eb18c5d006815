import { Ellipsis } from 'lucide-react'
import type { Role } from '../../../contract/shared/permissions.ts'
import { compareByRole } from '../../lib/roles.ts'
import { Button } from '../../ui/button.tsx'
import { DropdownMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { byNumber, byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { isOnlyOwner, canManageMember } from './can-manage-member.ts'
import { MemberRole } from './member-role.tsx'
import type { Member } from './members.ts'
import { Avatar } from '../../ui/avatar.tsx'

interface Looking {
  /** The current user and their role. */
  me: string
  mine: Role
  members: readonly Member[]
}

export const memberColumns = ({ me, mine, members }: Looking): [Column<Member>, ...Column<Member>[]] => [
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
  },
  {
    head: 'Two-factor',
    cell: ({ two_factor: on }) => (on === null ? '–' : on ? 'Yes' : 'No'),
    sort: byNumber(({ two_factor: on }) => Number(on), ['disabled first', 'enabled first']),
  },
  { head: 'Joined', cell: ({ joined_at: at }) => <Time at={at} />, sort: byTime(({ joined_at: at }) => at) },
]

/** Undefined if no member can be removed, which hides the column. */
export function memberActions({ me, mine, members }: Looking, onGo: (member: Member) => void) {
  const removable = (member: Member) =>
    (member.user_id === me || canManageMember(mine, member)) && !isOnlyOwner(member, members)
  if (!members.some(removable)) return {}
  return {
    actions: (member: Member) =>
      removable(member) && (
        <DropdownMenu
          align="end"
          trigger={
            <Button variant="ghost" size="small" icon aria-label={`Actions for ${member.name}`}>
              <Ellipsis aria-hidden />
            </Button>
          }
        >
          <MenuItem danger onSelect={() => onGo(member)}>
            {member.user_id === me ? 'Leave workspace' : 'Remove from workspace'}
          </MenuItem>
        </DropdownMenu>
      ),
  }
}

function MemberName({ member, self }: { member: Member; self: boolean }) {
  return (
    <div className="flex min-w-0 items-center gap-3 py-1.5 max-sm:py-0">
      <Avatar name={member.name} />
      <div className="flex min-w-0 flex-col">
        <span className="wrap-anywhere">
          <bdi>{member.name}</bdi>
          {self && <span className="font-normal text-muted"> (you)</span>}
        </span>
        <span className="text-sm font-normal wrap-anywhere text-muted">{member.email}</span>
      </div>
    </div>
  )
}
