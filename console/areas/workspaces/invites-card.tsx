import { useInfiniteQuery } from '@tanstack/react-query'
import { MailPlus } from 'lucide-react'
import { useState } from 'react'
import type { Role } from '../../../contract/shared/permissions.ts'
import { matchesTerm } from '../../lib/matches-term.ts'
import { compareByRole, roleLabel } from '../../lib/role-labels.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { useParam } from '../../lib/use-param.ts'
import { Button } from '../../ui/button.tsx'
import { CopyButton } from '../../ui/copy-button.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Invite, invitesQuery, useRevokeInvite } from './members.ts'
import { canManageMember } from './can-manage-member.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { Card } from '../../ui/card.tsx'

const columns: [Column<Invite>, ...Column<Invite>[]] = [
  {
    head: 'Email',
    cell: ({ email }) => <span className="wrap-anywhere">{email}</span>,
    sort: byText(({ email }) => email),
  },
  { head: 'Role', cell: ({ role }) => roleLabel(role), sort: compareByRole, phone: 'second' },
  {
    head: 'Invited by',
    desk: true,
    cell: ({ invited_by: by }) => (
      <span dir="auto" className="block max-w-40 truncate sm:text-left" title={by}>
        {by}
      </span>
    ),
    sort: byText(({ invited_by: by }) => by),
  },
  {
    head: 'Expires',
    cell: ({ expires_at: at }) => (
      <span>
        <span className="sm:hidden">Expires </span>
        <Time at={at} />
      </span>
    ),
    phone: 'second-end',
    sort: byTime(({ expires_at: at }) => at, { labels: ['soonest first', 'latest first'] }),
  },
  {
    head: 'Link',
    bare: true,
    cell: ({ email, url }) =>
      url ? (
        <CopyButton text={url} label={`Copy link for ${email}`} variant="secondary">
          Copy link
        </CopyButton>
      ) : (
        <span className="text-muted">Visible to owners</span>
      ),
    narrow: true,
  },
]

export function InvitesCard({ mine, onInvite }: { mine: Role; onInvite: () => void }) {
  const query = useInfiniteQuery(invitesQuery)
  const [going, setGoing] = useState<Invite>()
  const [q, setQ] = useParam('q')
  const [sort, setSort] = useParam('sort')
  useAllPages(query, q !== '' || sort !== '')
  const invites = query.data?.filter(({ email, invited_by: by }) => matchesTerm(q, email, by))
  const none = query.data?.length === 0
  return (
    <>
      {!none && <SearchInput value={q} onChange={setQ} label="Search invites" />}
      <Card flush>
        <QueryTable
          label="Invites"
          things="invites"
          query={query}
          rows={invites}
          search={{ q, setQ }}
          empty={{
            icon: MailPlus,
            title: 'No pending invites',
            text: 'Pending invites appear here. Invites expire after 7 days.',
            action: <Button onClick={onInvite}>Invite a member</Button>,
          }}
          columns={columns}
          rowKey={({ id }) => id}
          skeletonRows={2}
          sort={{ value: sort, onChange: setSort, partial: query.hasNextPage }}
          actions={actionsFor(mine, setGoing)}
        />
      </Card>
      <LoadMore query={query} />
      {going && <RevokeInviteDialog invite={going} onClose={() => setGoing(undefined)} />}
    </>
  )
}

const actionsFor = (mine: Role, setGoing: (invite: Invite) => void) => (invite: Invite) =>
  canManageMember(mine, invite) && <Actions invite={invite} onRevoke={() => setGoing(invite)} />

const Actions = ({ invite, onRevoke }: { invite: Invite; onRevoke: () => void }) => (
  <ActionsMenu name={`the invite for ${invite.email}`}>
    <MenuItem danger onSelect={onRevoke}>
      Revoke invite
    </MenuItem>
  </ActionsMenu>
)

const RevokeInviteDialog = ({ invite, onClose }: { invite: Invite; onClose: () => void }) => (
  <ActionDialog
    title={`Revoke the invite for ${invite.email}?`}
    action="Revoke invite"
    mutation={useRevokeInvite()}
    input={invite.id}
    pending="Revoking…"
    done="Invite revoked"
    onClose={onClose}
  >
    The link stops working immediately. You can invite {invite.email} again.
  </ActionDialog>
)
