import { Globe, ScrollText, SquareTerminal } from 'lucide-react'
import { containerPath, newDomainPath, serviceLogsPath } from '../../paths.ts'
import { Badge } from '../../ui/badge.tsx'
import { ButtonLink } from '../../ui/button.tsx'
import { Card } from '../../ui/card.tsx'
import type { Service } from './queries.ts'
import { type ContainerColumns, ServiceContainers } from './services-containers.tsx'
import { ServiceFacts } from './services-facts.tsx'
import { findRunningContainer, serviceStateLabel } from './service-labels.ts'

interface ServiceCardProps {
  application: { id: string; server: { id: string } }
  service: Service
  columns: ContainerColumns
  opensShells: boolean
  manages: boolean
}

export function ServiceCard({ application, service, columns, opensShells, manages }: ServiceCardProps) {
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
