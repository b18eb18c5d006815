import { AddressText } from '../../lib/address.tsx'
import { useQuery } from '@tanstack/react-query'
import { Boxes, Globe, ScrollText, SquareTerminal } from 'lucide-react'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'
import { type Service, servicesQuery } from './queries.ts'
import { containerPath, newDomainPath, serviceLogsPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import { findRunningContainer, formatPublishedPort, serviceStateLabel, sumUsage } from './service-labels.ts'
import type { ReactNode } from 'react'
import { type Column, Table } from '../../ui/table/table.tsx'
import { formatBytes } from '../../../contract/shared/bytes.ts'
import { formatInUnit } from '../../ui/chart/chart-units.ts'
import { DefinitionList } from '../../ui/definition-list.tsx'
import { ExternalTextLink } from '../../ui/text-link.tsx'

interface ServicesListProps {
  application: { id: string; server: { id: string } }
  columns: ContainerColumns
  opensShells: boolean
  manages: boolean
}

export function ServicesList({ application, ...rest }: ServicesListProps) {
  const query = useQuery(servicesQuery(application.id))
  const { data: services } = query
  if (services && services.length > 0)
    return services.map((service) => (
      <ServiceCard key={service.name} application={application} service={service} {...rest} />
    ))
  return (
    <Card flush>
      {services ? (
        <EmptyState icon={Boxes} title="No services yet">
          Services appear here after the first deployment.
        </EmptyState>
      ) : (
        <QueryFallback query={query} failed="Could not load services" skeleton={<ServicesSkeleton />} />
      )}
    </Card>
  )
}

const ServicesSkeleton = () => (
  <div aria-busy="true" className="flex flex-col gap-3 p-4">
    <Skeleton className="h-5 w-40" />
    <Skeleton className="h-4 w-80 max-w-full" />
    <Skeleton className="h-4 w-64 max-w-full" />
  </div>
)

interface ServiceCardProps {
  application: { id: string; server: { id: string } }
  service: Service
  columns: ContainerColumns
  opensShells: boolean
  manages: boolean
}

function ServiceCard({ application, service, columns, opensShells, manages }: ServiceCardProps) {
  const { id, server } = application
  const { name, state, reason, containers } = service
  const [tone, word] = serviceStateLabel(state)
  const [only, ...others] = containers
  const running = findRunningContainer(service)
  return (
    <section aria-label={name}>
      <Card
        title={
          <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <bdi>{name}</bdi>
            <Badge tone={tone}>{word}</Badge>
          </span>
        }
        description={reason}
        action={
          <div className="flex flex-wrap gap-2">
            {only && (
              <ButtonLink
                size="small"
                to={
                  others.length === 0 ? containerPath(server.id, only.id, 'logs') : serviceLogsPath(id, name)
                }
                aria-label={`Logs of ${name}`}
              >
                <ScrollText aria-hidden />
                Logs
              </ButtonLink>
            )}
            {running && opensShells && (
              <ButtonLink
                size="small"
                to={containerPath(server.id, running.id, 'terminal')}
                aria-label={`Shell in ${name}`}
              >
                <SquareTerminal aria-hidden />
                Shell
              </ButtonLink>
            )}
            {manages && (
              <ButtonLink size="small" to={newDomainPath(id, name)} aria-label={`Add domain to ${name}`}>
                <Globe aria-hidden />
                Add domain
              </ButtonLink>
            )}
          </div>
        }
        flush
      >
        <ServiceFacts service={service} />
        {only && <ServiceContainers {...{ service, columns, opensShells }} serverId={server.id} />}
      </Card>
    </section>
  )
}

type Container = Service['containers'][number]
type ContainerColumns = [Column<Container>, ...Column<Container>[]]

interface ServiceContainersProps {
  serverId: string
  service: Pick<Service, 'name' | 'containers'>
  columns: ContainerColumns
  opensShells: boolean
}

function ServiceContainers({ serverId, service, columns, opensShells }: ServiceContainersProps) {
  const links = (container: Container) => (
    <span className="flex justify-end">
      <IconLink to={containerPath(serverId, container.id, 'logs')} label={`Logs of ${container.name}`}>
        <ScrollText aria-hidden />
      </IconLink>
      {opensShells && container.state === 'running' && (
        <IconLink to={containerPath(serverId, container.id, 'terminal')} label={`Shell in ${container.name}`}>
          <SquareTerminal aria-hidden />
        </IconLink>
      )}
    </span>
  )
  return (
    <div className="border-t border-line">
      <Table
        label={`Containers of ${service.name}`}
        columns={columns}
        rows={service.containers}
        rowKey={({ id }) => id}
        href={({ id }) => containerPath(serverId, id)}
        actions={links}
      />
    </div>
  )
}

const IconLink = ({ to, label, children }: { to: string; label: string; children: ReactNode }) => (
  <ButtonLink to={to} variant="ghost" size="small" icon aria-label={label} title={label}>
    {children}
  </ButtonLink>
)

function ServiceFacts({ service }: { service: Service }) {
  const { image, digest, state, running, wanted, ports, addresses, containers } = service
  const cpu = sumUsage(containers, 'cpu')
  const memory = sumUsage(containers, 'memory_used')
  // A count makes no sense for stopped, completed or unknown services.
  const counted = !['unknown', 'stopped', 'completed'].includes(state)
  return (
    <div className="px-4 py-3">
      <DefinitionList
        dense
        items={[
          {
            term: 'Image',
            value: (
              <span className="font-mono text-sm break-all" dir="ltr" title={digest ?? undefined}>
                {image}
              </span>
            ),
          },
          ...(counted ? [{ term: 'Containers', value: `${running} of ${wanted} running` }] : []),
          ...(addresses.length === 0 ? [] : [{ term: 'Domains', value: <Addresses urls={addresses} /> }]),
          ...(ports.length === 0
            ? []
            : [
                {
                  term: 'Published ports',
                  value: (
                    <span className="font-mono text-sm">{ports.map(formatPublishedPort).join(', ')}</span>
                  ),
                },
              ]),
          ...(cpu === null && memory === null
            ? []
            : [
                {
                  term: 'Usage',
                  value: [
                    ...(cpu === null ? [] : [`${formatInUnit(cpu, 'share')} of a core`]),
                    ...(memory === null ? [] : [`${formatBytes(memory)} of memory`]),
                  ].join(', '),
                },
              ]),
        ]}
      />
    </div>
  )
}

const Addresses = ({ urls }: { urls: readonly string[] }) => (
  <ul className="flex flex-col gap-1">
    {urls.map((url) => (
      <li key={url}>
        <ExternalTextLink href={url} className="wrap-anywhere">
          <AddressText>{url}</AddressText>
        </ExternalTextLink>
      </li>
    ))}
  </ul>
)
