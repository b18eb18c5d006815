import { useParams } from 'react-router'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { ContainersList } from '../../areas/containers/containers-list.tsx'
import { unreachableReason } from '../../areas/servers/server-status.tsx'
import { useServer } from '../../areas/servers/queries.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'

export function ServerContainersPage() {
  const { id = '' } = useParams()
  const { role } = useWorkspace()
  const away = unreachableReason(useServer(id).data)
  return (
    <ContainersList key={id} serverId={id} operates={roleAllows(role, 'containers.operate')} away={away} />
  )
}
