import { Box, Database, HardDrive } from 'lucide-react'
import { Link } from 'react-router'
import { applicationPath, containerPath } from '../../../paths.ts'
import { classNames } from '../../../ui/class-names.ts'
import { roleBadge } from '../application-status.ts'
import type { ApplicationContainer, ApplicationDetails } from '../queries.ts'
import type { ContainerGroup as Containers } from './path-groups.ts'
import { dots, PathNode } from './path-node.tsx'

interface ContainerGroupProps {
  group: Containers
  application: ApplicationDetails
}

export function ContainerGroup({ group, application: { id, name, server, release } }: ContainerGroupProps) {
  const { service, containers, releases, volumes, tone, label, health } = group
  const shown = releases.length > 0 ? releases : release ? [release.number] : []
  const isDatabase = containers.some(({ image }) => databases.test(image))
  return (
    <div className="flex min-w-0 gap-x-3 gap-y-2 max-[1179px]:flex-col">
      <div className="min-w-0 flex-[3]">
        <PathNode
          Icon={isDatabase ? Database : Box}
          title={<bdi>{service === '' ? name : service}</bdi>}
          tone={tone}
          note={[label, health, ...(shown.length > 0 ? [`release ${shown.join(', ')}`] : [])].join(' · ')}
        >
          <ul
            aria-label={`Containers of ${service === '' ? name : service}`}
            className="flex flex-wrap gap-1.5"
          >
            {containers.map((container) => (
              <Replica key={container.id} serverId={server.id} container={container} />
            ))}
          </ul>
        </PathNode>
      </div>
      {volumes.length > 0 && (
        <div className="flex min-w-0 flex-[2] flex-col justify-center gap-1.5">
          {volumes.map(({ id: volumeId, source, target }) => (
            <Link
              key={volumeId}
              to={`${applicationPath(id, 'settings')}#storage`}
              title={`Mounted at ${target}`}
              className="flex min-w-0 items-center gap-2 rounded-md border border-dashed border-edge px-2.5 py-1.5 text-sm text-muted hover:text-ink"
            >
              <HardDrive className="size-3.5 shrink-0" aria-hidden />
              <span className="truncate font-mono text-xs">{source}</span>
            </Link>
          ))}
        </div>
      )}
    </div>
  )
}

const databases =
  /(^|\/)(postgres|postgis|timescale|mysql|mariadb|percona|mongo|redis|valkey|keydb|dragonfly|clickhouse|influxdb|elasticsearch|opensearch|memcached|rabbitmq|nats|minio)[\w.-]*(:|@|$)/

function Replica({ serverId, container }: { serverId: string; container: ApplicationContainer }) {
  const [tone, label] = roleBadge(container)
  return (
    <li className="min-w-0">
      <Link
        to={containerPath(serverId, container.id)}
        title={`${container.name}: ${label}`}
        className="flex h-6 min-w-0 items-center gap-1.5 rounded-sm bg-hover px-1.5 text-xs text-muted hover:bg-pressed hover:text-ink"
      >
        <span aria-hidden className={classNames('size-1.5 shrink-0 rounded-full', dots[tone])} />
        <span className="truncate font-mono">{container.name}</span>
        <span className="sr-only">, {label}</span>
      </Link>
    </li>
  )
}
