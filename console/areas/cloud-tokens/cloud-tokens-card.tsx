import { useInfiniteQuery } from '@tanstack/react-query'
import { Cloud, Plus } from 'lucide-react'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { useEntryDialog } from '../../lib/use-dialog.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { BrandName } from '../../ui/brand/brand-logo.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckedState } from '../../ui/badge.tsx'
import type { Column } from '../../ui/table/table.tsx'
import {
  type CloudToken,
  cloudTokensQuery,
  useCheckCloudToken,
  useDeleteCloudToken,
  useProviderName,
} from './queries.ts'
import { AddTokenDialog, EditTokenDialog } from './token-dialogs.tsx'
import { toast } from 'sonner'
import { toastError } from '../../lib/notify.ts'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'

export function CloudTokensCard() {
  const query = useInfiniteQuery(cloudTokensQuery)
  useAllPages(query, true)
  const { data: tokens } = query
  const { dialog, open, close, ask, editing, removing: deleting } = useEntryDialog(tokens)
  const deletion = useDeleteCloudToken()
  const nameOf = useProviderName()
  const add = (
    <Button variant="primary" onClick={() => open('add-cloud-token')}>
      <Plus aria-hidden />
      Add token
    </Button>
  )
  return (
    <Card
      title="Cloud tokens"
      description="API tokens of your cloud accounts, used to create, list and delete servers."
      action={tokens?.length !== 0 && add}
      flush
    >
      <QueryTable
        label="Cloud tokens"
        things="cloud tokens"
        query={query}
        empty={{
          icon: Cloud,
          title: 'No cloud tokens yet',
          text: 'Add a Hetzner, DigitalOcean or Vultr token to create, import and delete servers.',
          action: add,
        }}
        columns={columnsFor(nameOf)}
        rowKey={({ id }) => id}
        skeletonRows={2}
        actions={actionsOf(ask)}
      />
      {dialog === 'add-cloud-token' && <AddTokenDialog onClose={close} />}
      {editing && (
        <EditTokenDialog
          key={editing.id}
          token={editing}
          provider={nameOf(editing.provider)}
          onClose={close}
        />
      )}
      {deleting && (
        <ActionDialog
          title={`Delete ${deleting.name}?`}
          action="Delete token"
          mutation={deletion}
          input={deleting.id}
          pending="Deleting…"
          done="Cloud token deleted"
          onClose={close}
        >
          {consequence(deleting, nameOf(deleting.provider))}
        </ActionDialog>
      )}
    </Card>
  )
}

const actionsOf = (ask: (verb: string, token: CloudToken) => void) => (token: CloudToken) => (
  <TokenActions token={token} onEdit={() => ask('edit', token)} onDelete={() => ask('remove', token)} />
)

function consequence({ servers }: CloudToken, provider: string): string {
  const atCloud = `The token stays valid until you delete it at ${provider}.`
  if (servers === 0) return `No servers in this workspace use this token. ${atCloud}`
  const which = servers === 1 ? 'One server that uses' : `${servers} servers that use`
  const it = servers === 1 ? 'it' : 'them'
  return `${which} this token ${servers === 1 ? 'keeps running and is' : 'keep running and are'} still billed. Slipway can no longer check or destroy ${it} at ${provider}. ${atCloud}`
}

const words = { refused: 'Refused', untried: 'Not checked' }

const columnsFor = (nameOf: (provider: string) => string): [Column<CloudToken>, ...Column<CloudToken>[]] => [
  {
    head: 'Name',
    cell: ({ name }) => <bdi className="wrap-anywhere sm:inline-block sm:min-w-32 sm:py-2">{name}</bdi>,
  },
  {
    head: 'Provider',
    phone: 'second',
    cell: ({ provider }) => (
      <BrandName brand={provider} fallback={<Cloud />}>
        {nameOf(provider)}
      </BrandName>
    ),
  },
  {
    head: 'Account',
    phone: 'second-end',
    cell: ({ account }) =>
      account !== null && <bdi className="wrap-anywhere sm:inline-block sm:min-w-44 sm:py-2">{account}</bdi>,
  },
  { head: 'Servers', align: 'right', narrow: true, desk: true, cell: ({ servers }) => servers },
  {
    head: 'State',
    bare: true,
    cell: ({ error, checked_at: at }) => <CheckedState error={error} at={at} words={words} />,
  },
]

interface TokenActionsProps {
  token: CloudToken
  onEdit: () => void
  onDelete: () => void
}

function TokenActions({ token, onEdit, onDelete }: TokenActionsProps) {
  const check = useCheckCloudToken()
  const run = () =>
    check.mutate(token.id, {
      onSuccess: ({ error }) => (error === null ? toast.success('Cloud token verified') : toastError(error)),
    })
  return (
    <ActionsMenu name={token.name}>
      <MenuItem onSelect={run}>Check now</MenuItem>
      <MenuItem onSelect={onEdit}>Edit…</MenuItem>
      <MenuItem danger onSelect={onDelete}>
        Delete…
      </MenuItem>
    </ActionsMenu>
  )
}
