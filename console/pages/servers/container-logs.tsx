import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { containerQuery } from '../../areas/containers/queries.ts'
import { ContainerLog } from '../../areas/logs/container-log.tsx'
import { unreachableReason } from '../../areas/servers/server-status.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { isNotFound } from '../../lib/http/api-error.ts'

export function ContainerLogsPage() {
  const { id = '', cid = '' } = useParams()
  const { data: container, error } = useQuery(containerQuery(id, cid))
  const { data: server } = useServer(id)
  const runs = !error && (container?.state === 'running' || container?.state === 'paused')
  return (
    <ContainerLog
      key={`${id} ${cid}`}
      serverId={id}
      containerId={cid}
      name={container?.name ?? cid.slice(0, 12)}
      startedAt={container?.started_at ?? undefined}
      runs={runs}
      away={(error !== null && !isNotFound(error)) || unreachableReason(server) !== undefined}
    />
  )
}
