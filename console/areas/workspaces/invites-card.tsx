import { useInfiniteQuery } from '@tanstack/react-query'
import { MailPlus } from 'lucide-react'
import { useState } from 'react'
import { roleLabel } from '../../lib/roles.ts'
import { Button } from '../../ui/button.tsx'
import { Copy } from '../../ui/copy.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/load-more.tsx'
import { Problem } from '../../ui/problem.tsx'
import { type Column, Table } from '../../ui/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type Invite, invitesQuery } from './invites.ts'
import { WithdrawInviteDialog } from './withdraw-invite-dialog.tsx'

const columns: [Column<Invite>, ...Column<Invite>[]] = [
  { head: 'Email', cell: ({ email }) => <span className="break-all">{email}</span> },
  { head: 'Role', cell: ({ role }) => roleLabel(role) },
  { head: 'Invited by', cell: ({ invited_by: by }) => by },
  { head: 'Expires', cell: ({ expires_at: at }) => <Time at={at} /> },
]

export function InvitesCard({ onInvite }: { onInvite: () => void }) {
  const query = useInfiniteQuery(invitesQuery)
  const [going, setGoing] = useState<Invite>()
  const invites = query.data
  return (
    <>
      <div className="overflow-hidden rounded-lg border border-line bg-raised">
        {query.isError && !invites && (
          <Problem title="The invites could not be loaded" onRetry={() => void query.refetch()}>
            Try again in a moment.
          </Problem>
        )}
        {invites?.length === 0 && (
          <EmptyState
            icon={MailPlus}
            title="No invites are waiting"
            action={<Button onClick={onInvite}>Invite somebody</Button>}
          >
            An invite lets one person join this workspace, within 7 days and with the role you choose.
          </EmptyState>
        )}
        {invites?.length !== 0 && !(query.isError && !invites) && (
          <Table
            label="Invites"
            columns={columns}
            rows={invites}
            rowKey={({ id }) => id}
            skeletonRows={2}
            actions={actionsFor(setGoing)}
          />
        )}
      </div>
      <LoadMore query={query} />
      {going && <WithdrawInviteDialog invite={going} onClose={() => setGoing(undefined)} />}
    </>
  )
}

const actionsFor = (setGoing: (invite: Invite) => void) => (invite: Invite) => (
  <Actions invite={invite} onWithdraw={() => setGoing(invite)} />
)

function Actions({ invite, onWithdraw }: { invite: Invite; onWithdraw: () => void }) {
  return (
    <div className="flex items-center justify-end gap-1">
      <Copy text={invite.url} label={`Copy the invite link for ${invite.email}`}>
        Copy link
      </Copy>
      <Button variant="ghost" onClick={onWithdraw} aria-label={`Withdraw the invite for ${invite.email}`}>
        Withdraw
      </Button>
    </div>
  )
}
