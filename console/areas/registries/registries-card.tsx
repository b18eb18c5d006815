import { useInfiniteQuery } from '@tanstack/react-query'
import { Package, Plus } from 'lucide-react'
import { toast } from 'sonner'
import { toastError } from '../../lib/notify.ts'
import { RemoveDialog } from '../../lib/form/remove-dialog.tsx'
import { useEntryDialog } from '../../lib/use-dialog.ts'
import { BrandName } from '../../ui/brand/brand-logo.tsx'
import { Button } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { CheckedState } from '../../ui/badge.tsx'
import { ActionsMenu, MenuItem } from '../../ui/menu/dropdown-menu.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { type Registry, registriesQuery, useDeleteRegistry, useTestRegistry } from './queries.ts'
import { AddRegistryDialog, EditRegistryDialog } from './registry-dialogs.tsx'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { AddressText } from '../../lib/address.tsx'

export function RegistriesCard({ manages }: { manages: boolean }) {
  const query = useInfiniteQuery(registriesQuery)
  const { dialog, open, close, ask, editing, removing } = useEntryDialog(query.data)
  const forget = useDeleteRegistry()
  const add = manages && (
    <Button onClick={() => open('add-registry')}>
      <Plus aria-hidden />
      Add registry
    </Button>
  )
  return (
    <Card
      title="Image registries"
      description="Credentials that all servers use to pull private images. Builds do not use them for base images."
      action={query.data?.length !== 0 && add}
      flush
    >
      <QueryTable
        label="Image registries"
        things="registries"
        query={query}
        empty={{
          icon: Package,
          title: 'No registries yet',
          text: 'Add Docker Hub, GitHub, GitLab or another registry to pull private images.',
          action: add,
        }}
        columns={columns}
        rowKey={({ id }) => id}
        skeletonRows={2}
        {...(manages && { actions: actionsOf(ask) })}
      />
      {manages && dialog === 'add-registry' && <AddRegistryDialog onClose={close} />}
      {manages && editing && <EditRegistryDialog key={editing.id} registry={editing} onClose={close} />}
      {manages && removing && (
        <RemoveDialog
          id={removing.id}
          name={removing.name}
          action="Remove registry"
          remove={forget}
          onClose={close}
        >
          Running containers are not affected. Private images from {removing.host} can no longer be pulled
          with these credentials.
        </RemoveDialog>
      )}
    </Card>
  )
}

const actionsOf = (ask: ActionsProps['ask']) => (registry: Registry) => <Actions {...{ registry, ask }} />

interface ActionsProps {
  registry: Registry
  ask: (verb: string, registry: Registry) => void
}

function Actions({ registry, ask }: ActionsProps) {
  const test = useTestRegistry()
  const run = () =>
    test.mutate(registry.id, {
      onSuccess: ({ error }) =>
        error === null ? toast.success('Registry credentials verified') : toastError(error),
    })
  return (
    <ActionsMenu name={registry.name}>
      <MenuItem onSelect={run}>Test</MenuItem>
      <MenuItem onSelect={() => ask('edit', registry)}>Edit…</MenuItem>
      <MenuItem danger onSelect={() => ask('remove', registry)}>
        Remove…
      </MenuItem>
    </ActionsMenu>
  )
}

const words = { refused: 'Failing', untried: 'Not tested' }

const brands = { docker_hub: 'docker', ghcr: 'github', gitlab: 'gitlab', other: '' }

const columns: [Column<Registry>, ...Column<Registry>[]] = [
  {
    head: 'Name',
    cell: ({ kind, name }) => (
      <BrandName brand={brands[kind]} fallback={<Package />}>
        <span className="font-medium wrap-anywhere sm:inline-block sm:min-w-28">{name}</span>
      </BrandName>
    ),
  },
  {
    head: 'Images',
    phone: 'second',
    cell: ({ host, scope }) => (
      <span className="font-mono text-sm wrap-anywhere">
        <AddressText>{scope === '' ? host : `${host}/${scope}`}</AddressText>
      </span>
    ),
  },
  {
    head: 'Username',
    phone: 'second-end',
    cell: ({ username }) => <span className="wrap-anywhere">{username}</span>,
  },
  {
    head: 'Status',
    bare: true,
    cell: ({ error, checked_at: at }) => <CheckedState error={error} at={at} words={words} />,
  },
]
