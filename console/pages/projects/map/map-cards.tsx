import type { NodeProps } from '@xyflow/react'
import { Globe, Network, Server as ServerIcon } from 'lucide-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { formatCount } from '../../../../contract/shared/format-list.ts'
import { ApplicationBadge, DeployingLabel } from '../../../areas/applications/application-badge.tsx'
import { ApplicationLogo } from '../../../areas/applications/application-logo.tsx'
import {
  applicationStateTone,
  displayedImage,
  isDeploying,
} from '../../../areas/applications/application-status.ts'
import { sourceSummary } from '../../../areas/applications/source-label.ts'
import { serviceStateLabel } from '../../../areas/compose/service-labels.ts'
import { shownServices } from '../../../areas/projects/map/map-layout.ts'
import type { MapApplication } from '../../../areas/projects/queries.ts'
import { serversQuery } from '../../../areas/servers/queries.ts'
import { useUsageAge } from '../../../areas/servers/server-usage.tsx'
import { ServerBadge } from '../../../areas/servers/server-status.tsx'
import { AddressText, displayedAddress } from '../../../lib/address.tsx'
import { applicationPath, serverPath } from '../../../paths.ts'
import type { Tone } from '../../../ui/badge.tsx'
import { BrandMark } from '../../../ui/brand/brand-logo.tsx'
import { imageBrands } from '../../../ui/brand/image-brand.ts'
import { classNames } from '../../../ui/class-names.ts'
import { formatShare } from '../../../ui/gauge.tsx'
import { ImageName } from '../../../ui/image-name.tsx'
import type { ApplicationNode, DomainNode, NetworkNode, ServerNode } from './map-nodes.ts'

const Frame = () => <div className="size-full rounded-lg border border-edge bg-page/60" />

function ServerHeader({ data: { server, applications } }: NodeProps<ServerNode>) {
  const usage = useInfiniteQuery(serversQuery('')).data?.find(({ id }) => id === server.id)?.usage
  const age = useUsageAge({ usage: usage ?? null })
  const facts =
    usage && age === undefined && server.status === 'ready'
      ? `CPU ${formatShare(usage.cpu)} · Memory ${formatShare(usage.memory_used / usage.memory_total)}`
      : formatCount(applications, 'application')
  return (
    <div className="flex size-full items-center gap-3 px-4">
      <span className="flex size-8 shrink-0 items-center justify-center rounded-md bg-hover" aria-hidden>
        <ServerIcon className="size-4 text-muted" />
      </span>
      <div className="min-w-0 flex-1">
        <Link
          to={serverPath(server.id)}
          draggable={false}
          className="pointer-events-auto block truncate rounded-sm font-semibold hover:underline"
        >
          <bdi>{server.name}</bdi>
        </Link>
        <p className="truncate text-xs text-muted tabular-nums">{facts}</p>
      </div>
      <ServerBadge status={server.status} />
    </div>
  )
}

function Domain({ data: { domains } }: NodeProps<DomainNode>) {
  const [first, ...more] = domains
  if (!first) return null
  return (
    <a
      href={first.url}
      target="_blank"
      rel="noreferrer"
      draggable={false}
      title={domains.map(({ url }) => url).join('\n')}
      className="pointer-events-auto inline-flex h-full max-w-full items-center gap-1.5 rounded-full border border-line bg-raised px-2.5 text-xs hover:border-edge hover:bg-hover"
    >
      <Globe className="size-3.5 shrink-0 text-muted" aria-hidden />
      <span className="truncate">
        <AddressText>{displayedAddress(first.url)}</AddressText>
      </span>
      {more.length > 0 && <span className="shrink-0 text-muted">+{more.length}</span>}
      <span className="sr-only">opens in a new tab</span>
    </a>
  )
}

const borders: Record<Tone, string> = {
  red: 'border-red',
  yellow: 'border-yellow',
  green: 'border-edge',
  neutral: 'border-edge',
}

function Application({ data: { application, compact, description } }: NodeProps<ApplicationNode>) {
  const { id, name, state, deployment } = application
  const badge =
    isDeploying(application) && deployment ? (
      <DeployingLabel deployment={deployment} />
    ) : (
      <ApplicationBadge application={application} />
    )
  const { running, wanted } = application.containers
  return (
    <div
      className={classNames(
        'pointer-events-auto relative flex size-full flex-col rounded-lg border bg-raised hover:bg-subtle',
        borders[applicationStateTone(state)],
        compact ? 'justify-center px-1.5' : 'px-3 pt-2.5',
      )}
    >
      <div className="flex min-w-0 items-center gap-2.5">
        <ApplicationLogo application={application} size={compact ? 'small' : 'medium'} />
        <div className="flex min-w-0 flex-1 flex-col">
          <Link
            to={applicationPath(id)}
            draggable={false}
            aria-describedby={`map-${id}`}
            className="truncate font-semibold outline-none after:absolute after:-inset-px after:rounded-lg focus-visible:after:outline-2 focus-visible:after:outline-offset-2 focus-visible:after:outline-accent-ink"
          >
            <bdi>{name}</bdi>
          </Link>
          {!compact && <Source application={application} />}
        </div>
        {compact && badge}
      </div>
      {!compact && (
        <div className="mt-2.5 flex items-center justify-between gap-2">
          {badge}
          {wanted > 0 && (
            <span className="text-xs text-muted tabular-nums">{`${running}/${wanted} running`}</span>
          )}
        </div>
      )}
      {!compact && <Services application={application} />}
      <span id={`map-${id}`} hidden>
        {description}
      </span>
    </div>
  )
}

function Source({ application }: { application: MapApplication }) {
  const image = displayedImage(application)
  return (
    <span className="flex min-w-0 text-muted">
      {image === null ? (
        <span className="truncate text-sm">
          {application.source.repository?.name ?? sourceSummary(application.source)}
        </span>
      ) : (
        <ImageName>{image}</ImageName>
      )}
    </span>
  )
}

function Services({ application }: { application: MapApplication }) {
  const shown = shownServices(application)
  const more = application.services.length - shown.length
  if (shown.length === 0) return null
  return (
    <ul aria-label={`Services of ${application.name}`} className="-mx-3 mt-2.5 border-t border-line text-xs">
      {shown.map(({ name, image, state }, index) => {
        const [tone, word] = serviceStateLabel(state)
        const isLast = index === shown.length - 1
        return (
          <li key={name} className="flex h-6.5 min-w-0 items-center gap-2 px-3">
            <span className="flex size-3.5 shrink-0 text-muted" aria-hidden>
              <BrandMark names={imageBrands(image)} fallback={null} className="size-3.5" />
            </span>
            <span className="min-w-0 flex-1 truncate" title={image}>
              {name}
            </span>
            {isLast && more > 0 && <span className="text-muted">+{more} more</span>}
            <span className="flex shrink-0 items-center gap-1.5 text-muted">
              <span className={classNames('size-1.5 rounded-full', dots[tone])} aria-hidden />
              {word}
            </span>
          </li>
        )
      })}
    </ul>
  )
}

const dots: Record<Tone, string> = {
  green: 'bg-green',
  red: 'bg-red',
  yellow: 'bg-yellow',
  neutral: 'bg-faint',
}

const NetworkBar = ({ data: { network } }: NodeProps<NetworkNode>) => (
  <div className="flex size-full items-center gap-2 rounded-md border border-dashed border-edge bg-subtle px-2.5 text-xs text-muted">
    <Network className="size-3.5 shrink-0" aria-hidden />
    <span className="truncate">{network.kind === 'project' ? 'Project network' : network.name}</span>
    <span className="ml-auto shrink-0">{formatCount(network.applications.length, 'application')}</span>
  </div>
)

export const nodeTypes = {
  frame: Frame,
  server: ServerHeader,
  domain: Domain,
  application: Application,
  network: NetworkBar,
}
