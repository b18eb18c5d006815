import { useInfiniteQuery } from '@tanstack/react-query'
import { Server as ServerIcon } from 'lucide-react'
import { useEffect, useEffectEvent, useId } from 'react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { FreeResources } from '../../areas/metrics/free-resources.tsx'
import { type Server, serversQuery } from '../../areas/servers/queries.ts'
import { ServerChoice, deployObstacle } from '../../areas/servers/server-choice.tsx'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useAllPages } from '../../lib/http/paging.ts'
import { ThisMachineDialog, ThisMachineOffer } from '../../areas/this-machine/this-machine-offer.tsx'
import { useUser } from '../../areas/user/queries.ts'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface ServerChoicesProps {
  value: string
  onChange: (id: string) => void
  error: string | undefined
}

export function ServerChoices({ value, onChange, error }: ServerChoicesProps) {
  const workspace = useWorkspace()
  const imports = roleAllows(workspace.role, 'servers.manage')
  const operates = useUser().instance_owner
  const query = useInfiniteQuery(serversQuery(''))
  useAllPages(query, true)
  const { data: servers } = query
  const faultId = useId()
  useFitting(servers, value, onChange)
  if (!servers)
    return (
      <QueryFallback query={query} failed="Could not load servers" skeleton={<Skeleton className="h-20" />} />
    )
  const ordered = servers.toSorted((a, b) => rank(a) - rank(b))
  return (
    <>
      {servers.length > 0 && (
        <fieldset aria-describedby={error && faultId} className="flex flex-col gap-3">
          <legend className="sr-only">Choose a server</legend>
          {error && (
            <p id={faultId} className="text-sm text-red-ink">
              {error}
            </p>
          )}
          {ordered.map((server) => (
            <ServerChoice
              key={server.id}
              server={server}
              checked={server.id === value}
              onChoose={() => onChange(server.id)}
              invalid={error !== undefined && deployObstacle(server) === undefined}
              free={<FreeResources serverId={server.id} />}
            />
          ))}
        </fieldset>
      )}
      {!servers.some((server) => deployObstacle(server) === undefined) && (
        <div className="rounded-lg border border-line bg-raised">
          <EmptyState
            icon={ServerIcon}
            title={servers.length === 0 ? 'No servers yet' : 'No server is ready'}
            action={
              imports ? (
                <div className="flex flex-wrap justify-center gap-2">
                  {operates && <ThisMachineOffer />}
                  <ButtonLink to={paths.importServers}>Import a server</ButtonLink>
                  <ButtonLink variant="primary" to={paths.createServer}>
                    Create a server
                  </ButtonLink>
                </div>
              ) : (
                'Ask a workspace owner or admin to add one.'
              )
            }
          >
            Applications need a server to run on. Your entries are kept.
          </EmptyState>
        </div>
      )}
      {imports && operates && <ThisMachineDialog workspace={workspace.id} onAdded={onChange} />}
    </>
  )
}

/** Calls `choose` with the only server that applications can run on, if none is chosen. */
export function useOnlyServer(value: string, choose: (id: string) => void): Server | undefined {
  const { data: servers } = useInfiniteQuery(serversQuery(''))
  useFitting(servers, value, choose)
  return servers?.find(({ id }) => id === value)
}

/** Selects the only suitable server, and deselects an unsuitable one. */
function useFitting(servers: readonly Server[] | undefined, chosen: string, choose: (id: string) => void) {
  const fit = servers?.filter((server) => deployObstacle(server) === undefined)
  const only = fit?.length === 1 ? fit[0]?.id : undefined
  const suitable = !fit || fit.some(({ id }) => id === chosen) ? chosen : (only ?? '')
  const change = useEffectEvent(choose)
  useEffect(() => {
    if (suitable !== chosen) change(suitable)
  }, [suitable, chosen])
}

const rank = (server: Server) => (deployObstacle(server) === undefined ? 0 : 1)
