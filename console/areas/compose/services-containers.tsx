import { ScrollText, SquareTerminal } from 'lucide-react'
import type { ReactNode } from 'react'
import { containerPath } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { type Column, Table } from '../../ui/table/table.tsx'
import type { Service } from './queries.ts'

type Container = Service['containers'][number]
export type ContainerColumns = [Column<Container>, ...Column<Container>[]]

interface ServiceContainersProps {
  serverId: string
  service: Pick<Service, 'name' | 'containers'>
  columns: ContainerColumns
  opensShells: boolean
}

export function ServiceContainers({ serverId, service, columns, opensShells }: ServiceContainersProps) {
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
