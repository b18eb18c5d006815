import { useQuery } from '@tanstack/react-query'
import { SquareTerminal } from 'lucide-react'
import { roleAllowsInWorkspace } from '../../../contract/shared/permissions.ts'
import { type ApplicationDetails, applicationContainersQuery } from '../../areas/applications/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { AddressText, displayedAddress } from '../../lib/address.tsx'
import { containerPath, projectPath, serverPath } from '../../paths.ts'
import { ButtonAnchor, ButtonLink } from '../../ui/button.tsx'
import { Pending } from '../../ui/skeleton.tsx'
import { ExternalTextLink, TextLink } from '../../ui/text-link.tsx'
import { formatAge, useNow } from '../../ui/time.tsx'

interface HeaderProps {
  application: ApplicationDetails
}

export const ApplicationSummary = ({ application: { address, server, project } }: HeaderProps) => (
  <>
    {address !== null && (
      <>
        <ExternalTextLink href={address}>
          <AddressText>{displayedAddress(address)}</AddressText>
        </ExternalTextLink>{' '}
      </>
    )}
    on <TextLink to={serverPath(server.id)}>{server.name}</TextLink>
    {project && (
      <>
        {' in '}
        <TextLink to={projectPath(project.id)}>{project.name}</TextLink>
      </>
    )}
  </>
)

export function Uptime({ application: { id, state, release } }: HeaderProps) {
  const runs = release !== null && (state === 'running' || state === 'degraded')
  const { data: containers = [], isLoading } = useQuery({
    ...applicationContainersQuery(id),
    enabled: runs,
  })
  const now = new Date(useNow())
  const [since] = containers
    .flatMap(({ role, state: is, started_at: at }) =>
      role === 'serving' && is === 'running' && at ? [at] : [],
    )
    .toSorted()
  // The uptime may wrap to a second line on phones, so what is below waits for it.
  if (isLoading) return <Pending />
  if (!runs || since === undefined) return null
  return (
    <span title="Uptime of the oldest live container" className="text-sm text-muted tabular-nums">
      Up {formatAge(new Date(since), now)}
    </span>
  )
}

export function ApplicationLinks({ application: { id, server, address, release } }: HeaderProps) {
  const opensShells = roleAllowsInWorkspace(useWorkspace(), 'containers.shell')
  const { data: containers } = useQuery({
    ...applicationContainersQuery(id),
    enabled: release !== null && opensShells,
  })
  const running = containers?.filter(({ state }) => state === 'running')
  const entered = running?.find(({ role }) => role === 'serving') ?? running?.[0]
  return (
    <>
      {entered && opensShells && (
        <ButtonLink to={containerPath(server.id, entered.id, 'terminal')} title={`Shell in ${entered.name}`}>
          <SquareTerminal aria-hidden />
          Terminal
        </ButtonLink>
      )}
      {address !== null && release !== null && (
        <ButtonAnchor href={address} outside>
          Visit
        </ButtonAnchor>
      )}
    </>
  )
}
