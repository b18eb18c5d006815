import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionsMenu, MenuItem, MenuSeparator } from '../../ui/menu/dropdown-menu.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { ActivityDialog, type UserAction, UserDialog } from './user-dialog.tsx'
import { type InstanceUser, instanceUsersQuery } from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { Card } from '../../ui/card.tsx'

const columns: [Column<InstanceUser>, ...Column<InstanceUser>[]] = [
  { head: 'Name', cell: (user) => <Person user={user} /> },
  { head: 'Status', cell: (user) => <Status user={user} />, phone: 'first-end' },
  {
    head: 'Workspaces',
    cell: ({ workspaces }) => <Workspaces workspaces={workspaces} />,
    roomy: true,
    desk: true,
  },
  { head: 'Two-factor', cell: ({ two_factor: on }) => (on ? 'On' : 'Off'), desk: true },
  { head: 'Last seen', cell: ({ last_seen_at: at }) => (at ? <Time at={at} /> : '–'), desk: true },
]

/** Lists all users. `me` is the current user, who cannot lock or delete their own account. */
export function UsersCard({ me }: { me: string }) {
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(instanceUsersQuery(q))
  const [chosen, setChosen] = useState<Chosen>()
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search users" />
      <Card flush>
        <QueryTable
          label="Users"
          things="users"
          query={query}
          search={{ q, setQ }}
          empty={{ title: 'No users' }}
          columns={columns}
          rowKey={({ id }) => id}
          actions={personMenu(me, setChosen)}
        />
      </Card>
      <LoadMore query={query} />
      {chosen?.action === 'activity' && (
        <ActivityDialog user={chosen.user} onClose={() => setChosen(undefined)} />
      )}
      {chosen && chosen.action !== 'activity' && (
        <UserDialog user={chosen.user} action={chosen.action} onClose={() => setChosen(undefined)} />
      )}
    </>
  )
}

const Person = ({ user: { name, email } }: { user: InstanceUser }) => (
  <span className="flex min-w-0 flex-col py-1.5 max-sm:py-0">
    <bdi className="truncate">{name}</bdi>
    <span className="truncate text-sm font-normal text-muted">{email}</span>
  </span>
)

function Status({ user: { locked_at: locked, instance_owner: isOwner } }: { user: InstanceUser }) {
  if (locked) return <Badge tone="red">Locked</Badge>
  return isOwner ? <Badge tone="green">Instance owner</Badge> : <Badge tone="neutral">Active</Badge>
}

function Workspaces({ workspaces }: Pick<InstanceUser, 'workspaces'>) {
  const [first, ...others] = workspaces
  if (!first) return '–'
  return (
    <span
      title={workspaces.map(({ name, role }) => `${name} (${role})`).join(', ')}
      className="wrap-anywhere"
    >
      {first.name} ({first.role}){others.length > 0 && ` and ${others.length} more`}
    </span>
  )
}

interface Chosen {
  user: InstanceUser
  action: UserAction | 'activity'
}

const personMenu = (me: string, onChoose: (chosen: Chosen) => void) => (user: InstanceUser) => (
  <PersonMenu user={user} self={user.id === me} onChoose={(action) => onChoose({ user, action })} />
)

interface PersonMenuProps {
  user: InstanceUser
  self: boolean
  onChoose: (action: Chosen['action']) => void
}

const PersonMenu = ({ user, self, onChoose }: PersonMenuProps) => (
  <ActionsMenu name={user.name}>
    <MenuItem onSelect={() => onChoose('activity')}>Security activity</MenuItem>
    {!self && <PersonChanges user={user} onChoose={onChoose} />}
  </ActionsMenu>
)

const PersonChanges = ({ user, onChoose }: Omit<PersonMenuProps, 'self'>) => (
  <>
    <MenuItem onSelect={() => onChoose(user.instance_owner ? 'revoke-owner' : 'grant-owner')}>
      {user.instance_owner ? 'Remove as instance owner' : 'Make instance owner'}
    </MenuItem>
    <MenuItem onSelect={() => onChoose('end-access')}>Revoke sessions and tokens</MenuItem>
    <MenuSeparator />
    {user.locked_at ? (
      <MenuItem onSelect={() => onChoose('unlock')}>Unlock account</MenuItem>
    ) : (
      <MenuItem danger onSelect={() => onChoose('lock')}>
        Lock account
      </MenuItem>
    )}
    <MenuItem danger onSelect={() => onChoose('delete')}>
      Delete account
    </MenuItem>
  </>
)
