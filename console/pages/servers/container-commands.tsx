import { useParams } from 'react-router'
import { CommandsPanel } from '../../areas/commands/commands-panel.tsx'

export function ContainerCommandsPage() {
  const { id: serverId = '', cid = '' } = useParams()
  return <CommandsPanel serverId={serverId} containerId={cid} />
}
