import { Cloud, KeyRound, Terminal } from 'lucide-react'
import { may } from '../../contract/permissions.ts'
import { WayPicker } from '../areas/imports/way-picker.tsx'
import { useWorkspace } from '../areas/workspaces/queries.ts'
import { useParam } from '../lib/use-param.ts'
import { paths } from '../paths.ts'
import { PageHeader } from '../ui/page-header.tsx'
import { ImportByCommand } from './import-by-command.tsx'
import { ImportBySsh } from './import-by-ssh.tsx'
import { ImportFromCloud } from './import-from-cloud.tsx'
import { NotAllowed } from './not-allowed.tsx'

const ways = [
  {
    way: 'command',
    icon: Terminal,
    title: 'Paste one command',
    text: 'You have a shell on the server. The quickest way.',
  },
  {
    way: 'ssh',
    icon: KeyRound,
    title: 'By SSH',
    text: 'You give its address, and authorise a key there.',
  },
  {
    way: 'cloud',
    icon: Cloud,
    title: 'From a cloud account',
    text: 'You pick from what Hetzner, DigitalOcean or Vultr runs for you.',
  },
] as const

export function ImportServersPage() {
  const { role } = useWorkspace()
  const [asked] = useParam('way')
  const way = ways.find((one) => one.way === asked)?.way ?? 'command'
  return (
    <>
      <PageHeader
        title="Import a server"
        parents={[{ label: 'Servers', to: paths.servers }]}
        description="Slipway reaches your servers over SSH and installs no agent on them."
      />
      {may(role, 'servers.manage') ? (
        <>
          <WayPicker ways={ways} chosen={way} />
          {way === 'command' && <ImportByCommand />}
          {way === 'ssh' && <ImportBySsh />}
          {way === 'cloud' && <ImportFromCloud />}
        </>
      ) : (
        <NotAllowed needs="servers.manage" />
      )}
    </>
  )
}
