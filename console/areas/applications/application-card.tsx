import { Link } from 'react-router'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { AddressText, displayedAddress } from '../../lib/address.tsx'
import { applicationPath } from '../../paths.ts'
import { formatInUnit } from '../../ui/chart/chart-units.ts'
import { ImageName } from '../../ui/image-name.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { Sparkline } from '../../ui/sparkline.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'
import { Time } from '../../ui/time.tsx'
import { ApplicationBadge, DeployingLabel } from './application-badge.tsx'
import { ApplicationLogo } from './application-logo.tsx'
import { displayedImage, isDeploying } from './application-status.ts'
import type { HomeApplication } from './queries.ts'
import { sourceSummary } from './source-label.ts'

export function ApplicationCard({ application }: { application: HomeApplication }) {
  const { id, name, address, deployment } = application
  return (
    <li className={`relative ${cardClasses} hover:border-edge hover:bg-subtle`}>
      <div className="flex min-w-0 items-center gap-3">
        <ApplicationLogo application={application} />
        <div className="min-w-0 flex-1">
          <div className="flex items-center justify-between gap-2">
            <Link to={applicationPath(id)} className={linkClasses}>
              <bdi>{name}</bdi>
            </Link>
            {isDeploying(application) && deployment ? (
              <DeployingLabel deployment={deployment} />
            ) : (
              <ApplicationBadge application={application} />
            )}
          </div>
          <p className="flex min-w-0 text-sm text-muted">
            {address === null ? (
              <Source application={application} />
            ) : (
              <ExternalTextLink href={address} className="relative max-w-full">
                <span className="truncate">
                  <AddressText>{displayedAddress(address)}</AddressText>
                </span>
              </ExternalTextLink>
            )}
          </p>
        </div>
      </div>
      <Requests application={application} />
      <p className="truncate text-xs text-muted">
        {deployment ? (
          <>
            {deployment.status === 'failed' && (
              <span className="font-medium text-red-ink">Deployment failed </span>
            )}
            <Time at={deployment.created_at} /> by <bdi>{deployment.actor.name}</bdi>
          </>
        ) : (
          'Not deployed yet'
        )}
      </p>
    </li>
  )
}

function Source({ application }: { application: HomeApplication }) {
  const image = displayedImage(application)
  if (image !== null) return <ImageName>{image}</ImageName>
  return <span className="truncate">{sourceSummary(application.source)}</span>
}

/** An application without a domain, such as a database, gets no requests, so its card shows containers and memory. */
function Containers({ application: { server, containers, usage } }: { application: HomeApplication }) {
  const { running, wanted } = containers
  const facts = [
    server.name,
    wanted > 0 && `${running}/${wanted} running`,
    usage && `${formatBytes(usage.memory_used)} of memory`,
  ]
  return (
    <p className="flex items-end text-xs text-muted tabular-nums sm:h-8">
      <span className="truncate">{facts.filter(Boolean).join(' · ')}</span>
    </p>
  )
}

function Requests({ application }: { application: HomeApplication }) {
  const { name, requests, address } = application
  const measured = requests.filter((value) => value !== null)
  const average = measured.reduce((sum, value) => sum + value, 0) / measured.length
  if (address === null && !(average > 0)) return <Containers application={application} />
  const figure = !(average > 0) ? 'No requests' : formatInUnit(average, 'frequency').replace('/s', ' req/s')
  return (
    <div className="flex items-end gap-3" title="Requests in the last 24 hours">
      <Sparkline
        label={`Requests to ${name} in the last 24 hours, on average: ${figure}`}
        values={requests}
        className="h-8 min-w-0 flex-1"
      />
      <span aria-hidden className="shrink-0 text-xs text-muted tabular-nums">
        {figure}
      </span>
    </div>
  )
}

export const ApplicationCardSkeleton = () => (
  <li className={cardClasses}>
    <div className="flex items-center gap-3">
      <Skeleton sized className="size-9 rounded-lg!" />
      <div className="flex h-10 flex-1 flex-col justify-around">
        <Skeleton sized className="h-3.5 w-32" />
        <Skeleton sized className="h-3.5 w-44" />
      </div>
    </div>
    <Skeleton sized className="h-8 w-full" />
    <Skeleton sized className="h-4 w-36" />
  </li>
)

const cardClasses = 'flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-raised p-4'

const linkClasses =
  'min-w-0 truncate font-semibold outline-none after:absolute after:inset-0 after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-accent-ink'
