import { Cloud } from 'lucide-react'
import { Address, AddressText } from '../../lib/address.tsx'
import { useSettings } from '../../lib/local-settings.ts'
import { BrandName } from '../../ui/brand/brand-logo.tsx'
import { byNumber, byText } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { formatMonthlyCost } from './cloud-status.ts'
import { type CloudServer, isCloudServer } from './creation/creation-steps.ts'
import { Labels } from './labels.tsx'
import type { Server } from './queries.ts'
import { ServerBadge } from './server-status.tsx'
import { serverColumns } from './server-columns.tsx'
import { UsageBars, UsageCell, usageMeters } from './server-usage.tsx'

const usageColumn = (which: 'cpu' | 'memory' | 'disk'): Column<Server> => ({
  head: usageHeads[which],
  cell: (server) => <UsageCell server={server} of={which} />,
  narrow: true,
  desk: true,
  sort: byNumber(
    (server) => (server.status === 'ready' ? usageMeters(server)[which].share : null) ?? -1,
    ['emptiest first', 'fullest first'],
  ),
})

const usageHeads = { cpu: 'CPU', memory: 'Memory', disk: 'Disk' }

export const serverComparison: [Column<Server>, ...Column<Server>[]] = [
  { ...serverColumns.name, cell: (server) => <Name server={server} /> },
  { ...serverColumns.status, desk: true },
  usageColumn('cpu'),
  usageColumn('memory'),
  usageColumn('disk'),
  {
    head: 'Applications',
    cell: ({ applications }) => applications,
    align: 'right',
    narrow: true,
    desk: true,
    sort: byNumber(({ applications }) => applications, ['fewest first', 'most first']),
  },
  {
    head: 'Containers',
    cell: ({ status, containers: { running, total } }) =>
      // Without a connection, no containers are known.
      status !== 'ready' && total === 0 ? (
        <span className="text-muted">–</span>
      ) : (
        <span title={`${running} of ${total} running`}>
          {running}/{total}
        </span>
      ),
    align: 'right',
    narrow: true,
    roomy: true,
    desk: true,
    sort: byNumber(({ containers }) => containers.running, ['fewest first', 'most first']),
  },
  {
    head: 'Region',
    cell: (server) => <Region server={server} />,
    sort: byText(({ region, cloud }) => region ?? cloud?.provider_name ?? null),
    roomy: true,
    desk: true,
  },
  {
    head: 'Docker',
    cell: ({ docker_version: version }) => version && <span className="tabular-nums">{version}</span>,
    sort: byText(({ docker_version: version }) => version),
    narrow: true,
    roomy: true,
    desk: true,
  },
]

/** Phones have no columns, so the metrics are below the name. */
const Name = ({ server }: { server: Server }) => (
  <span className="flex min-w-0 flex-col gap-0.5 py-1.5 max-sm:gap-2 max-sm:py-0 sm:min-w-20">
    <span className="flex items-center justify-between gap-2">
      <bdi className="wrap-anywhere">{server.name}</bdi>
      <span className="sm:hidden">
        <ServerBadge status={server.status} />
      </span>
    </span>
    <KnownBy server={server} />
    {server.usage && (server.status === 'ready' || server.reason === null) ? (
      <span className="font-normal sm:hidden">
        <UsageBars server={server} />
      </span>
    ) : (
      server.reason !== null && (
        <span className="line-clamp-2 text-sm font-normal text-muted sm:hidden">
          <AddressText>{server.reason}</AddressText>
        </span>
      )
    )}
  </span>
)

function KnownBy({ server: { address, labels } }: { server: Server }) {
  const { show_ip_addresses: shown } = useSettings()
  const addressed = shown && address !== null
  if (!addressed && labels.length === 0) return null
  return (
    <span className="flex flex-wrap items-center gap-x-2 gap-y-1 font-normal max-sm:hidden">
      {addressed && <Address address={address} />}
      <Labels labels={labels} />
    </span>
  )
}

function Region({ server }: { server: Server }) {
  if (!isCloudServer(server)) return server.region
  const { region, type, cloud } = server
  return (
    <span className="flex flex-col py-1.5 whitespace-nowrap">
      <BrandName brand={cloud.provider} fallback={<Cloud />}>
        {region ?? cloud.provider_name}
      </BrandName>
      <span className="text-xs text-muted">
        {[region && cloud.provider_name, type, costs(cloud) && formatMonthlyCost(cloud)]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </span>
  )
}

const costs = ({ id, status }: CloudServer['cloud']) => id !== null && status !== 'deleted'
