import { AddressText, useMaskedText } from '../../lib/address.tsx'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Globe } from 'lucide-react'
import { useState } from 'react'
import { useParam } from '../../lib/use-param.ts'
import { Badge } from '../../ui/badge.tsx'
import { Button } from '../../ui/button.tsx'
import { LoadMore } from '../../ui/table/load-more.tsx'
import { SearchInput } from '../../ui/form/search-input.tsx'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { type HostName, hostNamesQuery, useReleaseHostName } from './queries.ts'
import { QueryTable } from '../../ui/table/query-table.tsx'
import { ActionDialog } from '../../lib/form/action-dialog.tsx'
import { Card } from '../../ui/card.tsx'

const columns: [Column<HostName>, ...Column<HostName>[]] = [
  { head: 'Host name', cell: ({ host }) => <AddressText>{host}</AddressText> },
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
  return (
    <>
      <SearchInput value={q} onChange={setQ} label="Search host names" />
      <Card flush>
        <QueryTable
          label="Host names"
          things="host names"
          query={query}
          search={{ q, setQ }}
          empty={{
            icon: Globe,
            title: 'No host names yet',
            text: 'Host names appear here when a workspace adds a domain. Each belongs to one workspace.',
          }}
          columns={columns}
          rowKey={({ host }) => host}
          actions={releaseButton(setChosen)}
        />
      </Card>
      <LoadMore query={query} />
      {chosen && <ReleaseDialog hostName={chosen} onClose={() => setChosen(undefined)} />}
    </>
  )
}

const releaseButton = (onChoose: (hostName: HostName) => void) => (hostName: HostName) => (
  <ReleaseButton host={hostName.host} onClick={() => onChoose(hostName)} />
)

function ReleaseButton({ host, onClick }: { host: string; onClick: () => void }) {
  const mask = useMaskedText()
  return (
    <Button variant="ghost" size="small" aria-label={`Release ${mask(host)}`} onClick={onClick}>
      Release
    </Button>
  )
}

function ReleaseDialog({ hostName, onClose }: { hostName: HostName; onClose: () => void }) {
  const { host, workspace } = hostName
  return (
    <ActionDialog
      title={`Release ${host}?`}
      action="Release host name"
      typeName={host}
      mutation={useReleaseHostName()}
      input={host}
      pending="Releasing…"
      done={`${host} released`}
      onClose={onClose}
    >
      Applications of {workspace.name} no longer receive requests to {host}, and the certificate for {host} is
      deleted. Any workspace can then add {host} after verifying ownership. Release the host name only if you
      know who owns the domain.
    </ActionDialog>
  )
}
