import { useParams } from 'react-router'
import { TerminalPane } from '../../areas/terminals/terminal-pane.tsx'

export function ServerTerminalPage() {
  const { id = '' } = useParams()
  return <TerminalPane key={id} serverId={id} />
}
