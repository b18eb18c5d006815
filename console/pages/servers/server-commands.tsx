import { useParams } from 'react-router'
import { CommandsPanel } from '../../areas/commands/commands-panel.tsx'

export function ServerCommandsPage() {
  const { id: serverId = '' } = useParams()
  return <CommandsPanel serverId={serverId} />
}
