import { useParams } from 'react-router'
import { may } from '../../../contract/shared/permissions.ts'
import { ContainersList } from '../../areas/containers/containers-list.tsx'
import { awayFor } from '../../areas/servers/server-words.ts'
import { useServer } from '../../areas/servers/use-server.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'

export function ServerContainersPage() {
  const { id = '' } = useParams()
  const { role } = useWorkspace()
  const away = awayFor(useServer(id).data)
  return <ContainersList key={id} serverId={id} operates={may(role, 'containers.operate')} away={away} />
}
