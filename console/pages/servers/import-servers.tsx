import { Cloud, KeyRound, type LucideIcon, Terminal } from 'lucide-react'
import { roleAllows } from '../../../contract/shared/permissions.ts'
import { useWorkspace } from '../../areas/workspaces/queries.ts'
import { useParam } from '../../lib/use-param.ts'
import { paths } from '../../paths.ts'
import { BrandMark } from '../../ui/brand/brand-logo.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { NotAllowed } from '../page-fallback.tsx'
import { NewServerForm } from '../../areas/servers/creation/new-server-form.tsx'
import { NewServerStatus } from '../../areas/servers/next-step.tsx'
import { DeployLink } from './deploy-link.tsx'
import { Button } from '../../ui/button.tsx'
import { useQuery } from '@tanstack/react-query'
import { ImportCommand } from '../../areas/imports/import-command.tsx'
import { importedServersQuery, importTokenQuery } from '../../areas/imports/queries.ts'
import { Card } from '../../ui/card.tsx'
import { TokenPicker } from '../../areas/cloud-tokens/token-picker.tsx'
import { useChosenToken, useProviderName } from '../../areas/cloud-tokens/queries.ts'
import { AccountServers } from '../../areas/imports/account-servers.tsx'
import { AuthorizeServer } from './authorize-server.tsx'
import { Link } from 'react-router'

const ways = [
  {
    way: 'command',
    icon: Terminal,
    title: 'Run a command',
    text: 'Fastest if you have a shell on the server.',
  },
  {
    way: 'ssh',
    icon: KeyRound,
    title: 'Over SSH',
    text: 'Enter the address and add Slipway’s SSH key.',
  },
  {
    way: 'cloud',
    icon: Cloud,
    title: 'From a cloud account',
    text: 'Choose from your Hetzner, DigitalOcean or Vultr servers.',
    brands: ['hetzner', 'digitalocean', 'vultr'],
  },
] as const

export function ImportServersPage() {
  const { role } = useWorkspace()
  const [requestedWay] = useParam('way')
  const way = ways.find((choice) => choice.way === requestedWay)?.way ?? 'command'
  return (
    <>
      <PageHeader
        title="Import server"
        parents={[{ label: 'Servers', to: paths.servers }]}
        description="Slipway connects to your servers over SSH. No agent is installed."
      />
      {roleAllows(role, 'servers.manage') ? (
        <>
          <ImportMethodPicker ways={ways} chosen={way} />
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

/** Import over SSH. The added server is in the URL, so that a reload continues there. */
function ImportBySsh() {
  const [id, setId] = useParam('server')
  if (id === '') return <NewServerForm onDone={setId} />
  return (
    <>
      <NewServerStatus key={id} id={id} deployLink={<DeployLink serverId={id} />} />
      <div>
        <Button variant="ghost" onClick={() => setId('')}>
          Import another server
        </Button>
      </div>
    </>
  )
}

function ImportByCommand() {
  const { data: token } = useQuery(importTokenQuery())
  const { data: arrived = [] } = useQuery({
    ...importedServersQuery(token?.made_at ?? ''),
    enabled: token !== undefined,
  })
  return (
    <>
      <Card
        title="Run this command on the server as root"
        description="The command adds Slipway’s SSH key and starts the setup."
      >
        <ImportCommand served={arrived.length > 0} />
      </Card>
      {arrived.map((server) => (
        <NewServerStatus key={server.id} id={server.id} deployLink={<DeployLink serverId={server.id} />} />
      ))}
      {arrived.length === 0 && (
        <Card>
          <output className="flex items-center gap-3 text-muted">
            <span className="size-2 animate-breathe rounded-full bg-yellow" aria-hidden />
            Waiting for your server to connect…
          </output>
        </Card>
      )}
    </>
  )
}

/** Import from a cloud account. The selected servers are in the URL, so that a reload continues there. */
function ImportFromCloud() {
  const [picked, setPicked] = useParam('servers')
  const { token } = useChosenToken()
  const nameOf = useProviderName()
  if (picked !== '')
    return (
      <>
        {picked.split(',').map((id, index) => (
          <AuthorizeServer key={id} id={id} opened={index === 0} />
        ))}
        <div>
          <Button variant="ghost" onClick={() => setPicked('')}>
            Import more servers
          </Button>
        </div>
      </>
    )
  return (
    <>
      <Card title="Cloud account" description="Account to import servers from.">
        <TokenPicker />
      </Card>
      {token && (
        <AccountServers
          key={token.id}
          token={token}
          provider={nameOf(token.provider)}
          onImported={(ids) => setPicked(ids.join(','))}
        />
      )}
    </>
  )
}

interface WayPickerProps {
  ways: readonly { way: string; icon: LucideIcon; title: string; text: string; brands?: readonly string[] }[]
  chosen: string
}

const ImportMethodPicker = ({ ways, chosen }: WayPickerProps) => (
  <nav aria-label="Ways to import" className="grid grid-cols-3 gap-4 max-lg:grid-cols-1 max-lg:gap-2">
    {ways.map(({ way, icon: Icon, title, text, brands = [] }) => (
      <Link
        key={way}
        to={`?way=${way}`}
        aria-current={way === chosen ? 'page' : undefined}
        className="flex gap-3 rounded-lg border border-line bg-raised p-4 hover:border-edge hover:bg-subtle aria-[current=page]:border-accent-ink aria-[current=page]:bg-accent-soft"
      >
        <Icon className="mt-0.5 size-4 shrink-0 text-muted" aria-hidden />
        <span className="flex flex-col gap-0.5">
          <span className="flex items-center gap-2 font-medium">
            {title}
            {brands.map((brand) => (
              <BrandMark key={brand} names={[brand]} fallback={null} className="size-3.5" />
            ))}
          </span>
          <span className="text-sm text-muted">{text}</span>
        </span>
      </Link>
    ))}
  </nav>
)
