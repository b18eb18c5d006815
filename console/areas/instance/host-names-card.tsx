import { useInfiniteQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { toast } from 'sonner'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { ConfirmDialog } from '../../ui/confirm-dialog.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { NothingFound } from '../../ui/table/nothing-found.tsx'
import { Problem } from '../../ui/problem.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type HostName, hostNamesQuery, useReleaseHostName } from './queries.ts'

const columns: [Column<HostName>, ...Column<HostName>[]] = [
  { head: 'Host name', cell: ({ host }) => host },
  { head: 'Workspace', cell: ({ workspace }) => <bdi className="wrap-anywhere">{workspace.name}</bdi> },
  {
    head: 'Ownership',
    cell: ({ verified_at: at }) =>
      at ? <Badge tone="green">Verified</Badge> : <Badge tone="yellow">Not verified</Badge>,
  },
  { head: 'Added', cell: ({ created_at: at }) => <Time at={at} /> },
]

export function HostNamesCard() {
  const [q, setQ] = useParam('q')
  const query = useInfiniteQuery(hostNamesQuery(q))
  const [chosen, setChosen] = useState<HostName>()
  const rows = query.data
  const failed = query.isError && !rows
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search host names" />
      <div className="overflow-hidden rounded-lg border border-line bg-raised">
        {failed && (
          <Problem title="Host names could not be loaded" onRetry={() => void query.refetch()}>
            Check the log of the Slipway process.
          </Problem>
        )}
        {rows?.length === 0 && q === '' && (
          <EmptyState icon={Globe} title="No host names yet">
            Each host name belongs to one workspace. Names that workspaces add as domains are listed here.
          </EmptyState>
        )}
        {rows?.length === 0 && q !== '' && (
          <NothingFound things="host names" q={q} onClear={() => setQ('')} />
        )}
        {rows?.length !== 0 && !failed && (
          <Table
            label="Host names"
            columns={columns}
            rows={rows}
            rowKey={({ host }) => host}
            actions={releaseButton(setChosen)}
          />
        )}
      </div>
      <LoadMore query={query} />
      {chosen && <ReleaseDialog hostName={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

const releaseButton = (onChoose: (hostName: HostName) => void) => (hostName: HostName) => (
  <Button
    variant="ghost"
    size="small"
    aria-label={`Release ${hostName.host}`}
    onClick={() => onChoose(hostName)}
  >
    Release
  </Button>
)

function ReleaseDialog({ hostName, onClose }: { hostName: HostName; onClose: () => void }) {
  const { host, workspace } = hostName
  const release = useReleaseHostName()

  async function confirm() {
    await release.mutateAsync(host)
    toast.success(`${host} released`)
    onClose()
  }

  return (
    <ConfirmDialog
      open
      onOpenChange={onClose}
      title={`Release ${host}?`}
      action="Release host name"
      typeName={host}
      pending={release.isPending && 'Releasing…'}
      // The mutation shows errors; the dialog stays open.
      onConfirm={() => void confirm().catch(() => undefined)}
    >
      {workspace.name} stops serving {host}, and its certificate is deleted. The next workspace that adds it,{' '}
      {workspace.name} included, must prove it with a TXT record or a server it points to. Release a name only
      for a person who has shown that they own the domain.
    </ConfirmDialog>
  )
}
