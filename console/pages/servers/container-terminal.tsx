import { useParams } from 'react-router'
import { TerminalPane } from '../../areas/terminals/terminal-pane.tsx'

export function ContainerTerminalPage() {
  const { id = '', cid = '' } = useParams()
  return <TerminalPane key={`${id} ${cid}`} serverId={id} containerId={cid} />
}
