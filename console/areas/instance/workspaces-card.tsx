import { formatCount } from '../../../contract/shared/format-list.ts'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import {
  type InstanceWorkspace,
  allWorkspacesQuery,
  useLockWorkspace,
  useRemoveWorkspace,
} from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { Card } from '../../ui/card.tsx'

type Action = 'lock' | 'unlock' | 'delete'

const columns: [Column<InstanceWorkspace>, ...Column<InstanceWorkspace>[]] = [
  {
    head: 'Name',
    cell: ({ name }) => <bdi>{name}</bdi>,
  },
  {
    head: 'Status',
    phone: 'first-end',
    cell: ({ locked_at: locked }) =>
      locked ? <Badge tone="red">Locked</Badge> : <Badge tone="neutral">Active</Badge>,
  },
  {
    head: 'Owners',
    phone: 'second',
    cell: ({ owners }) => (
      <span className="wrap-anywhere">{owners.map(({ email }) => email).join(', ')}</span>
    ),
  },
  {
    head: 'Members',
    align: 'right',
    bare: true,
    cell: ({ members, servers, applications }) => (
      <>
        <span className="max-sm:hidden">{members}</span>
        {/* On phones, one line has all counts. */}
        <span className="text-muted sm:hidden">
          {[
            formatCount(members, 'member'),
            formatCount(servers, 'server'),
            formatCount(applications, 'application'),
          ].join(' · ')}
        </span>
      </>
    ),
  },
  { head: 'Servers', cell: ({ servers }) => servers, align: 'right', desk: true },
  { head: 'Applications', cell: ({ applications }) => applications, align: 'right', desk: true },
  { head: 'Created', cell: ({ created_at: at }) => <Time at={at} />, roomy: true, phone: 'second-end' },
]

export function WorkspacesCard() {
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(allWorkspacesQuery(q))
  const [chosen, setChosen] = useState<Chosen>()
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search workspaces" />
      <Card flush>
        <QueryTable
          label="Workspaces"
          things="workspaces"
          query={query}
          search={{ q, setQ }}
          empty={{ title: 'No workspaces' }}
          columns={columns}
          rowKey={({ id }) => id}
          actions={workspaceMenu(setChosen)}
        />
      </Card>
      <LoadMore query={query} />
      {chosen && <WorkspaceDialog {...chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

interface Chosen {
  workspace: InstanceWorkspace
  action: Action
}

const workspaceMenu = (onChoose: (chosen: Chosen) => void) => (workspace: InstanceWorkspace) => (
  <WorkspaceMenu workspace={workspace} onChoose={(action) => onChoose({ workspace, action })} />
)

interface WorkspaceMenuProps {
  workspace: InstanceWorkspace
  onChoose: (action: Action) => void
}

const WorkspaceMenu = ({ workspace: { name, locked_at: locked }, onChoose }: WorkspaceMenuProps) => (
  <ActionsMenu name={name}>
    {locked ? (
      <MenuItem onSelect={() => onChoose('unlock')}>Unlock workspace</MenuItem>
    ) : (
      <MenuItem danger onSelect={() => onChoose('lock')}>
        Lock workspace
      </MenuItem>
    )}
    <MenuItem danger onSelect={() => onChoose('delete')}>
      Delete workspace
    </MenuItem>
  </ActionsMenu>
)

function WorkspaceDialog({ workspace, action, onClose }: Chosen & { onClose: () => void }) {
  const { id, name } = workspace
  const lock = useLockWorkspace()
  const remove = useRemoveWorkspace()
  const { text, confirm, ...question } = questions[action](workspace)
  return (
    <ActionDialog
      {...question}
      action={confirm}
      mutation={{
        isPending: lock.isPending || remove.isPending,
        mutateAsync: () =>
          action === 'delete'
            ? remove.mutateAsync({ id, name })
            : lock.mutateAsync({ id, locked: action === 'lock' }),
      }}
      input={undefined}
      {...(action === 'delete' && { typeName: name })}
      onClose={onClose}
    >
      {text}
    </ActionDialog>
  )
}

const questions: Record<
  Action,
  (workspace: InstanceWorkspace) => {
    title: string
    text: string
    confirm: string
    pending: string
    done: string
  }
> = {
  lock: ({ name }) => ({
    title: `Lock ${name}?`,
    text: 'Members can no longer access the workspace. Its applications keep running.',
    confirm: 'Lock workspace',
    pending: 'Locking…',
    done: `${name} locked`,
  }),
  unlock: ({ name }) => ({
    title: `Unlock ${name}?`,
    text: 'Members can access the workspace again.',
    confirm: 'Unlock workspace',
    pending: 'Unlocking…',
    done: `${name} unlocked`,
  }),
  delete: ({ name, members, servers, locked_at }) => ({
    title: `Delete ${name}?`,
    text: `Its projects, servers (${servers}), members (${members}), tokens and audit log are deleted for all members. ${locked_at ? 'Its applications are deleted from Slipway but keep running on their servers.' : 'If it has applications, lock it first.'} This cannot be undone.`,
    confirm: 'Delete workspace',
    pending: 'Deleting…',
    done: `${name} deleted`,
  }),
}
