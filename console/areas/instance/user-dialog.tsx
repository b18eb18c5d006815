import { formatCount } from '../../../contract/shared/format-list.ts'
import {
  type InstanceUser,
  useChangeUser,
  useDeleteUser,
  useEndUserAccess,
  userActivityQuery,
} from './queries.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { ShieldCheck } from 'lucide-react'
import { Address, AddressText } from '../../lib/address.tsx'
import { Dialog } from '../../ui/dialog.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'

export type UserAction = 'grant-owner' | 'revoke-owner' | 'end-access' | 'lock' | 'unlock' | 'delete'

interface PersonDialogProps {
  user: InstanceUser
  action: UserAction
  onClose: () => void
}

interface Question {
  title: string
  text: string
  confirm: string
  pending: string
  done: string
}

export function UserDialog({ user, action, onClose }: PersonDialogProps) {
  const { id, email } = user
  const change = useChangeUser()
  const end = useEndUserAccess()
  const remove = useDeleteUser()
  const question = questions[action](user)

  const run = (): Promise<unknown> => {
    if (action === 'end-access') return end.mutateAsync(id)
    if (action === 'delete') return remove.mutateAsync({ id, email })
    if (action === 'lock' || action === 'unlock') return change.mutateAsync({ id, locked: action === 'lock' })
    return change.mutateAsync({ id, instance_owner: action === 'grant-owner' })
  }

  return (
    <ActionDialog
      title={question.title}
      action={question.confirm}
      mutation={{ isPending: change.isPending || end.isPending || remove.isPending, mutateAsync: run }}
      input={undefined}
      pending={question.pending}
      done={question.done}
      {...(action === 'delete' && { typeName: email })}
      onClose={onClose}
    >
      {question.text}
    </ActionDialog>
  )
}

const questions: Record<UserAction, (user: InstanceUser) => Question> = {
  'grant-owner': ({ name }) => ({
    title: `Make ${name} an instance owner?`,
    text: `${name} can then change all instance settings, lock and delete users and workspaces, and add this machine to a workspace as a server. Root access to this machine gives full control of Slipway and all its secrets.`,
    confirm: 'Make instance owner',
    pending: 'Saving…',
    done: `${name} is an instance owner`,
  }),
  'revoke-owner': ({ name }) => ({
    title: `Remove ${name} as instance owner?`,
    text: `${name} can no longer open the Instance page. Their workspaces are not affected.`,
    confirm: 'Remove instance owner',
    pending: 'Removing…',
    done: `${name} is no longer an instance owner`,
  }),
  'end-access': ({ name, sessions, api_tokens: tokens }) => ({
    title: `Revoke the sessions and tokens of ${name}?`,
    text: `Ends ${formatCount(sessions, 'session')} and revokes ${formatCount(tokens, 'API token')}. ${name} can log in again.`,
    confirm: 'Revoke sessions and tokens',
    pending: 'Revoking…',
    done: `Sessions and tokens of ${name} revoked`,
  }),
  lock: ({ name }) => ({
    title: `Lock the account of ${name}?`,
    text: `${name} is logged out everywhere, their API tokens stop working, and they cannot log in until you unlock the account. Applications keep running.`,
    confirm: 'Lock account',
    pending: 'Locking…',
    done: `Account of ${name} locked`,
  }),
  unlock: ({ name }) => ({
    title: `Unlock the account of ${name}?`,
    text: `${name} can log in again.`,
    confirm: 'Unlock account',
    pending: 'Unlocking…',
    done: `Account of ${name} unlocked`,
  }),
  delete: ({ name, email }) => ({
    title: `Delete the account of ${name}?`,
    text: `The account ${email}, its sessions, API tokens and memberships are deleted. Workspaces keep their servers and applications. This cannot be undone.`,
    confirm: 'Delete account',
    pending: 'Deleting…',
    done: `Account of ${name} deleted`,
  }),
}

type Event = NonNullable<ReturnType<typeof useActivity>['data']>[number]

const useActivity = (id: string) => useInfiniteQuery(userActivityQuery(id))

const columns: [Column<Event>, ...Column<Event>[]] = [
  {
    head: 'Event',
    cell: ({ summary, detail, count }) => (
      <span className="font-normal wrap-anywhere">
        <span className="font-medium">{summary}</span>
        {detail && (
          <span className="text-muted">
            {' · '}
            <AddressText>{detail}</AddressText>
          </span>
        )}
        {count > 1 && <span className="text-muted"> · {count} times</span>}
      </span>
    ),
  },
  { head: 'Device', cell: ({ device }) => device ?? '–' },
  { head: 'IP address', cell: ({ address }) => <Address address={address} /> },
  { head: 'Time', cell: ({ last_at: at }) => <Time at={at} /> },
]

export function ActivityDialog({ user, onClose }: { user: InstanceUser; onClose: () => void }) {
  const query = useActivity(user.id)
  return (
    <Dialog
      open
      wide
      onOpenChange={onClose}
      title={`Security activity of ${user.name}`}
      description={`Account events of ${user.email} from the last 180 days.`}
    >
      <QueryTable
        label="Security activity"
        things="security activity"
        query={query}
        empty={{
          icon: ShieldCheck,
          title: 'No activity yet',
          text: 'Logins, password changes, two-factor and API token events appear here.',
        }}
        columns={columns}
        rowKey={({ id }) => id}
      />
      <LoadMore query={query} />
    </Dialog>
  )
}
