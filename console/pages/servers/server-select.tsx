import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useEffectEvent } from 'react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { FreeResources } from '../../areas/metrics/free-resources.tsx'
import { deployObstacle, formatMachine } from '../../areas/servers/deploy-target.ts'
import { type Server, serversQuery } from '../../areas/servers/queries.ts'
import { ThisMachineDialog, ThisMachineOffer } from '../../areas/this-machine/this-machine-offer.tsx'
import { useUser } from '../../areas/user/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useMaskedText } from '../../lib/address.tsx'
import { useAllPages } from '../../lib/http/paging.ts'
import { QueryFallback } from '../../lib/query-fallback.tsx'
import { paths } from '../../paths.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { Field } from '../../ui/form/field.tsx'
import { Select } from '../../ui/form/select.tsx'
import { Notice } from '../../ui/notice.tsx'
import { Skeleton } from '../../ui/skeleton.tsx'

interface ServerSelectProps {
  value: string
  onChange: (id: string) => void
  error: string | undefined
}

/** Select of a server that can run applications. Without one, the field offers to add a server. */
export function ServerSelect({ value, onChange, error }: ServerSelectProps) {
  const { query, servers, chosen } = useServers(value, onChange)
  const mask = useMaskedText()
  if (!servers)
    return (
      <QueryFallback
        query={query}
        failed="Could not load servers"
        skeleton={<Skeleton sized className="h-14.5" />}
      />
    )
  const fitting = servers.filter((server) => deployObstacle(server) === undefined)
  if (fitting.length === 0)
    return <NoServer isFirst={servers.length === 0} error={error} onAdded={onChange} />
  const unfit = servers.filter((server) => !fitting.includes(server))
  return (
    <Field
      label="Server"
      help={chosen && <FreeResources serverId={chosen.id} fallback={formatMachine(chosen)} />}
      error={error}
    >
      <Select
        name="server_id"
        placeholder="Choose a server"
        options={[...fitting, ...unfit].map((server) => ({
          value: server.id,
          label: server.name,
          help: mask(deployObstacle(server) ?? formatMachine(server)),
          disabled: !fitting.includes(server),
        }))}
        value={value}
        onValueChange={onChange}
      />
    </Field>
  )
}

/**
 * Loads the servers. The only usable one is selected, and an unusable one is deselected once all servers are loaded.
 */
function useServers(value: string, onChange: (id: string) => void) {
  const query = useInfiniteQuery(serversQuery(''))
  useAllPages(query, true)
  const { data: servers } = query
  const fitting = query.hasNextPage ? undefined : servers?.filter((server) => !deployObstacle(server))
  const only = fitting?.length === 1 ? fitting[0] : undefined
  const chosen: Server | undefined = fitting?.find(({ id }) => id === value) ?? only
  const id = fitting ? (chosen?.id ?? '') : value
  const change = useEffectEvent(onChange)
  useEffect(() => {
    if (id !== value) change(id)
  }, [id, value])
  return { query, servers, chosen }
}

interface NoServerProps {
  isFirst: boolean
  error: string | undefined
  onAdded: (id: string) => void
}

function NoServer({ isFirst, error, onAdded }: NoServerProps) {
  const workspace = useWorkspace()
  const imports = roleAllows(workspace.role, 'servers.manage')
  const operates = useUser().instance_owner
  return (
    <div data-invalid={error === undefined ? undefined : true} tabIndex={-1} className="outline-none">
      <Notice
        tone={error === undefined ? 'neutral' : 'red'}
        title={isFirst ? 'No servers yet' : 'No server is ready'}
        action={
          imports && (
            <>
              {operates && <ThisMachineOffer />}
              <ButtonLink to={paths.importServers}>Import server</ButtonLink>
              <ButtonLink to={paths.createServer}>Create server</ButtonLink>
            </>
          )
        }
      >
        Applications need a server to run on.{' '}
        {imports ? 'Your entries are kept.' : 'Ask a workspace admin to add one.'}
      </Notice>
      {imports && operates && <ThisMachineDialog workspace={workspace.id} onAdded={onAdded} />}
    </div>
  )
}
