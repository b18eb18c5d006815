import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { roleAllows, roleAllowsInWorkspace } from '../../../contract/shared/permissions.ts'
import { ApplicationContainers } from '../../areas/applications/application-containers.tsx'
import { RequestPath } from '../../areas/applications/overview/request-path.tsx'
import {
  type ApplicationContainer,
  type ApplicationDetails,
  applicationContainersQuery,
  portsQuery,
  volumesQuery,
} from '../../areas/applications/queries.ts'
import { isCompose, sourceSummary, triggerLabel } from '../../areas/applications/source-label.ts'
import { ComposePreview } from '../../areas/compose/compose-preview.tsx'
import { ServicesList } from '../../areas/compose/services-list.tsx'
import { containerColumns } from '../../areas/containers/container-columns.tsx'
import { DeploymentsCard } from '../../areas/deployments/deployments-card.tsx'
import { LiveReleaseCard } from '../../areas/deployments/live-release-card.tsx'
import { releasesQuery } from '../../areas/deployments/queries.ts'
import { domainsQuery } from '../../areas/domains/queries.ts'
import { LogTail } from '../../areas/logs/log-tail.tsx'
import { LiveStrip } from '../../areas/metrics/live-strip.tsx'
import { NotesCard } from '../../areas/templates/notes-card.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useDialog } from '../../lib/use-dialog.ts'
import { applicationPath } from '../../paths.ts'
import { classNames } from '../../ui/class-names.ts'
import { Card } from '../../ui/card.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { TextLink, ExternalTextLink } from '../../ui/text-link.tsx'
import { displayedImage, nextImage } from '../../areas/applications/application-status.ts'

const latest = 5
/** Columns without image and ports: the release names the image, and the proxy needs no published port. */
const [name, ...others] = containerColumns(new Map())
const columns: ReturnType<typeof containerColumns> = [
  name,
  ...others.filter(({ head }) => head !== 'Image' && head !== 'Ports'),
]

export function ApplicationOverviewPage({ application }: { application: ApplicationDetails }) {
  const { id, release } = application
  const workspace = useWorkspace()
  const compose = isCompose(application.source.type)
  const manages = roleAllows(workspace.role, 'applications.manage')
  const { data: containers = [], isLoading } = useQuery({
    ...applicationContainersQuery(id),
    enabled: release !== null,
  })
  // An unreachable server responds late, and only with the reason.
  const waits = isLoading && application.state !== 'unknown'
  const logs = release !== null && application.state !== 'unknown' && (waits || containers.length > 0)
  const paired = logs || (compose && manages)
  return (
    <>
      {compose && manages && <NotesCard applicationId={id} />}
      {release !== null && <ApplicationStrip application={application} />}
      <ApplicationPath application={application} containers={containers} waits={waits} />
      <div className={classNames('grid grid-cols-1 gap-4', paired && 'lg:grid-cols-2')}>
        <ApplicationRelease application={application} />
        {compose && manages && (
          <ComposePreview applicationId={id} editor={`${applicationPath(id, 'settings')}#compose`} />
        )}
        {logs && <LatestLog {...{ application, containers, waits }} wide={compose && manages} />}
      </div>
      {release !== null && compose && (
        <ServicesList
          application={application}
          columns={columns}
          opensShells={roleAllowsInWorkspace(workspace, 'containers.shell')}
          manages={manages}
        />
      )}
      {release !== null && !compose && <ApplicationContainers application={application} columns={columns} />}
      <DeploymentsCard
        applicationId={id}
        latest={{
          most: latest,
          all: <TextLink to={applicationPath(id, 'deployments')}>View all</TextLink>,
        }}
      />
    </>
  )
}

interface PartProps {
  application: ApplicationDetails
}

function ApplicationStrip({ application: { id, address } }: PartProps) {
  const { data: releases = [] } = useInfiniteQuery(releasesQuery(id))
  return (
    <LiveStrip
      applicationId={id}
      deployments={releases.flatMap(({ live_at: at }) => at ?? [])}
      routed={address !== null}
      to={applicationPath(id, 'metrics')}
    />
  )
}

interface ContainersProps extends PartProps {
  containers: readonly ApplicationContainer[]
  /** Whether the containers are still loading. */
  waits: boolean
}

function ApplicationPath({ application, containers, waits }: ContainersProps) {
  const { id, address } = application
  const { data: known, isPending: awaitsDomains } = useQuery(domainsQuery(id))
  const { data: ports = [], isPending: awaitsPorts } = useQuery(portsQuery(id))
  const { data: volumes = [], isPending: awaitsVolumes } = useQuery(volumesQuery(id))
  // Each of these parts moves the others when it appears, so wait for all of them.
  if (waits || awaitsDomains || awaitsPorts || awaitsVolumes)
    return <Skeleton className="h-37 w-full rounded-lg!" />
  const domains = known?.domains.map((domain) => ({
    id: domain.id,
    url: domain.url,
    service: domain.service,
    problem: domain.routing_error ?? domain.certificate?.error ?? domain.verification.problem,
  }))
  const first = address === null ? [] : [{ id: address, url: address, service: '', problem: null }]
  return (
    <RequestPath
      application={application}
      domains={domains ?? first}
      ports={ports}
      containers={containers}
      volumes={volumes}
    />
  )
}

function ApplicationRelease({ application }: PartProps) {
  const { open } = useDialog()
  const deploys = roleAllows(useWorkspace().role, 'applications.deploy')
  return (
    <LiveReleaseCard
      applicationId={application.id}
      source={<ReleaseSource application={application} />}
      action={<TextLink to={applicationPath(application.id, 'deployments')}>All releases</TextLink>}
      onRollBack={deploys ? (release) => open(`roll-back-${release.id}`) : undefined}
    />
  )
}

function LatestLog({ application, containers, waits, wide }: ContainersProps & { wide: boolean }) {
  const { id, server } = application
  const { data: known, isPending } = useQuery(domainsQuery(id))
  const routed = known?.domains.map(({ service }) => service) ?? []
  const live = containers.filter(({ role }) => role === 'serving')
  const shown = live.find(({ service }) => routed.includes(service ?? '')) ?? live[0] ?? containers[0]
  const place = wide ? 'col-span-full min-w-0' : 'grid min-w-0 grid-cols-1'
  if (waits || isPending)
    return (
      <div className={place}>
        <Skeleton className="h-62 w-full rounded-lg!" />
      </div>
    )
  if (!shown) return null
  return (
    <div className={place}>
      <Card
        title="Latest log lines"
        description={shown.name}
        action={<TextLink to={applicationPath(id, 'logs')}>All logs</TextLink>}
        flush
        fill
      >
        <LogTail key={shown.id} serverId={server.id} containerId={shown.id} name={shown.name} />
      </Card>
    </div>
  )
}

/** Shows where releases come from: the repository with its branch, the image, or the compose file. */
function ReleaseSource({
  application: { source, release, repository: settings },
}: {
  application: ApplicationDetails
}) {
  const { repository } = source
  if (repository)
    return (
      <>
        <ExternalTextLink href={repository.url}>{repository.name}</ExternalTextLink> branch{' '}
        <bdi className="font-mono">{repository.branch}</bdi>
        {settings && `, ${triggerLabel(settings)}`}
      </>
    )
  const image = displayedImage({ source, release })
  if (release === null && image !== null)
    return (
      <>
        Not deployed yet: <span className="font-mono">{image}</span>
      </>
    )
  const next = nextImage({ source, release })
  if (next !== undefined)
    return (
      <>
        Next: <span className="font-mono">{next}</span>
      </>
    )
  return release === null ? `Not deployed yet: ${sourceSummary(source)}` : sourceSummary(source)
}
