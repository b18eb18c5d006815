import { AddressSpan, AddressText, displayedAddress, useMaskedText } from '../../lib/address.tsx'
import type { ReactNode } from 'react'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { ExternalTextLink } from '../../ui/text-link.tsx'
import { ImageName } from '../../ui/image-name.tsx'
import { byNumber, byText, byTime } from '../../ui/table/sort.ts'
import type { Column } from '../../ui/table/table.tsx'
import { Time } from '../../ui/time.tsx'
import { ApplicationLogo } from './application-logo.tsx'
import { ApplicationBadge } from './application-badge.tsx'
import { containersLabel, displayedImage, nextImage } from './application-status.ts'
import type { Application } from './queries.ts'
import { sourceSummary } from './source-label.ts'

type Columns = Record<'name' | 'state' | 'server' | 'source' | 'memory' | 'containers', Column<Application>>

/** Sort order: states that need attention come first. */
const urgency: readonly Application['state'][] = [
  'failed',
  'crashing',
  'degraded',
  'unknown',
  'running',
  'stopped',
  'never_deployed',
]

export const applicationColumns: Columns = {
  name: {
    head: 'Name',
    cell: (application) => <Name application={application} />,
    below: ({ address }) => address !== null && <OpenAddress address={address} />,
    sort: byText(({ name }) => name),
  },
  state: {
    head: 'Status',
    desk: true,
    cell: (application) => <State application={application} />,
    sort: byNumber(({ state }) => urgency.indexOf(state), ['most urgent first', 'least urgent first']),
  },
  server: {
    head: 'Server',
    desk: true,
    cell: ({ server }) => (
      <bdi className="line-clamp-2 wrap-anywhere min-[1280px]:min-w-20" title={server.name}>
        {server.name}
      </bdi>
    ),
    sort: byText(({ server }) => server.name),
  },
  source: {
    head: 'Source',
    desk: true,
    cell: (application) => <Source application={application} />,
    roomy: true,
    sort: byText(({ source, release }) => displayedImage({ source, release }) ?? sourceSummary(source)),
  },
  memory: {
    head: 'Memory',
    desk: true,
    cell: ({ usage }) => usage && formatBytes(usage.memory_used),
    align: 'right',
    narrow: true,
    roomy: true,
    sort: byNumber(({ usage }) => usage?.memory_used ?? -1, ['lowest first', 'highest first']),
  },
  containers: {
    head: 'Containers',
    desk: true,
    cell: (application) =>
      application.containers.wanted > 0 && (
        <span title={containersLabel(application)}>
          {application.containers.running}/{application.containers.wanted}
        </span>
      ),
    align: 'right',
    narrow: true,
    roomy: true,
    sort: byNumber(({ containers }) => containers.running, ['fewest first', 'most first']),
  },
}

export const deploymentColumn = (cell: (latest: NonNullable<Application['deployment']>) => ReactNode) =>
  ({
    head: 'Last deployment',
    desk: true,
    cell: ({ deployment }) => deployment && cell(deployment),
    narrow: true,
    sort: byTime(({ deployment }) => deployment?.created_at ?? null, { none: 0 }),
  }) satisfies Column<Application>

/** Phones have no columns, so two lines show the whole row. */
const Name = ({ application }: { application: Application }) => {
  const { name, address, source, deployment } = application
  return (
    <span className="flex min-w-0 items-center gap-3 sm:min-w-28">
      <span className={address === null ? undefined : besideBothLines}>
        <ApplicationLogo application={application} size="small" />
      </span>
      <span className="min-w-0 flex-1">
        <span className="flex items-center justify-between gap-2">
          <bdi className="wrap-anywhere">{name}</bdi>
          <span className="sm:hidden">
            <ApplicationBadge application={application} />
          </span>
        </span>
        <span className="flex justify-between gap-2 text-sm font-normal text-muted sm:hidden">
          <span className="truncate">
            {address === null ? (
              (displayedImage(application) ?? sourceSummary(source))
            ) : (
              <AddressText>{displayedAddress(address)}</AddressText>
            )}
          </span>
          {deployment && <Time at={deployment.created_at} />}
        </span>
      </span>
    </span>
  )
}

const besideBothLines = 'sm:translate-y-2'

/** The whole row is a link, so the address needs a layer above that link. */
function OpenAddress({ address }: { address: string }) {
  const mask = useMaskedText()
  return (
    <div className="-mt-1 flex pb-1.5 pl-10 font-normal max-sm:hidden">
      <ExternalTextLink href={address} className="relative max-w-64">
        <span className="truncate" title={mask(address)}>
          <AddressText>{displayedAddress(address)}</AddressText>
        </span>
      </ExternalTextLink>
    </div>
  )
}

const State = ({ application }: { application: Application }) => (
  <span className="inline-flex max-w-64 flex-col items-start gap-0.5 py-1.5 max-sm:max-w-full max-sm:items-end max-sm:py-0">
    <ApplicationBadge application={application} />
    {isUnwell(application) && application.reason !== null && (
      <AddressSpan className="line-clamp-2 text-sm wrap-anywhere text-muted max-sm:text-right">
        {application.reason}
      </AddressSpan>
    )}
  </span>
)

const isUnwell = ({ state }: Application) =>
  state === 'failed' || state === 'crashing' || state === 'degraded'

function Source({ application }: { application: Application }) {
  const { source } = application
  const image = displayedImage(application)
  const next = nextImage(application)
  if (image === null)
    return <span title={source.services?.join(', ')}>{source.repository?.name ?? sourceSummary(source)}</span>
  return (
    <span className="inline-flex max-w-72 flex-col sm:min-w-32">
      <ImageName>{image}</ImageName>
      {next !== undefined && (
        <span className="flex gap-1 text-muted">
          Next: <ImageName>{next}</ImageName>
        </span>
      )}
    </span>
  )
}
