import { userInfo } from 'node:os'
import type { z } from 'zod'
import { minComposeVersion } from '../../../../contract/shared/compose-limits.ts'
import type { setupChange } from '../../../../contract/setups.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { proxyContainer } from '../../../remote/proxy/container.ts'
import { proxyFolder } from '../../../remote/proxy/config.ts'
import type { Actor } from '../../../route.ts'
import { getServerRow, type ServerRow } from '../server.ts'

type SetupChange = z.input<typeof setupChange>
type SetupTarget = Pick<ServerRow, 'kind' | 'username' | 'http_port' | 'https_port'>

/** Target for listing what setup changes before a server exists. */
const newServer: SetupTarget = { kind: 'ssh', username: 'root', http_port: 80, https_port: 443 }

export async function getSetupChanges(
  ctx: Context,
  actor: Actor,
  { server_id: id, kind }: { server_id?: Id<'server'> | undefined; kind: SetupTarget['kind'] },
): Promise<SetupChange[]> {
  if (id !== undefined) return listSetupChanges(ctx, await getServerRow(ctx, actor, id))
  const username = kind === 'local' ? userInfo().username : newServer.username
  return listSetupChanges(ctx, { ...newServer, kind, username })
}

/** Keep in step with the scripts in `server/scripts/set-up`, which make these changes. */
export function listSetupChanges(
  { config }: Pick<Context, 'config'>,
  { kind, username, http_port, https_port }: SetupTarget = newServer,
): SetupChange[] {
  const isSsh = kind === 'ssh'
  const home = username === 'root' ? '/root' : `the home folder of ${username}`
  return [
    {
      kind: 'package',
      name: 'Docker',
      text: 'Installed from the system packages and started if it is missing. RHEL and its derivatives use the Docker repository.',
    },
    {
      kind: 'package',
      name: 'Docker Compose',
      text: `Installed if it is missing or older than ${minComposeVersion}. Debian and Ubuntu releases without it use the Docker repository, for Compose only.`,
    },
    { kind: 'package', name: 'git', text: 'Installed if it is missing.' },
    {
      kind: 'port',
      name: `${http_port} and ${https_port}`,
      text: 'The proxy listens on these TCP ports. Setup stops without changes to other programs if one is in use.',
    },
    {
      kind: 'container',
      name: proxyContainer,
      text: `The proxy, from the image ${config.PROXY_IMAGE}. Uses the server’s network.`,
    },
    ...(isSsh
      ? [
          {
            kind: 'file' as const,
            name: '.ssh/authorized_keys',
            text: `In ${home}. Slipway’s SSH key is added.`,
          },
        ]
      : []),
    {
      kind: 'file',
      name: proxyFolder,
      text: 'Created for the configuration and certificates of the proxy.',
    },
    {
      kind: 'file',
      name: '/etc/docker/daemon.json',
      text: 'live-restore is turned on unless it is already set, so that containers keep running while Docker restarts.',
    },
    ...(username === 'root'
      ? []
      : [{ kind: 'user' as const, name: username, text: 'Added to the docker group.' }]),
  ]
}
