import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import { appendOutput } from '../../server/areas/outputs/output.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, minute } from './world-times.ts'

const hostKey = (last: string) => `ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIG${'x'.repeat(41)}${last}`

/** Properties known after the first connection. */
export const facts = {
  os: 'Debian GNU/Linux 12 (bookworm)',
  architecture: 'x86_64',
  cpus: 4,
  memory_bytes: 8_323_710_976,
  disk_bytes: 84_550_430_720,
  docker_version: '27.3.1',
  docker_api_version: '1.47',
  compose_version: '2.29.7',
  host_keys: [hostKey('A')],
  public_key: `${hostKey('B')} slipway`,
  last_seen_at: ago(20_000),
}

const unknown = {
  os: null,
  architecture: null,
  cpus: null,
  memory_bytes: null,
  disk_bytes: null,
  docker_version: null,
  docker_api_version: null,
  compose_version: null,
  host_keys: [],
  last_seen_at: null,
}

type WorldServer = Omit<Insertable<Tables['servers']>, 'id' | 'workspace_id' | 'created_at'> & { age: number }

/** One server per status; `named` is unreachable. */
export const serversAt = (named: string): WorldServer[] => [
  { name: 'web-1', status: 'ready', address: '203.0.113.10', labels: ['web', 'eu'], age: 90 * day },
  {
    name: 'web-2',
    status: 'ready',
    address: '203.0.113.11',
    labels: ['web', 'us'],
    reason: 'Docker is not responding on this server. Nothing can be deployed there until it does.',
    age: 88 * day,
  },
  {
    name: named,
    status: 'unreachable',
    address: '2001:db8:85a3:8d3:1319:8a2e:370:7348',
    labels: named.length > 50 ? [named.slice(0, 50), 'batch'] : ['batch'],
    reason: `Could not reach ${named}: connection refused on port 22. Check the firewall or the SSH port.`,
    last_seen_at: ago(9 * minute),
    age: 40 * day,
  },
  {
    name: 'old-1',
    status: 'unreachable',
    address: '203.0.113.25',
    offered_host_key: hostKey('C'),
    reason:
      'old-1 shows another host key than the one that was confirmed, so Slipway does not connect to it.',
    last_seen_at: ago(3 * day),
    age: 41 * day,
  },
  { name: 'staging', status: 'setting_up', address: '198.51.100.7', age: 4 * minute },
  {
    name: 'edge-1',
    status: 'failed',
    address: '198.51.100.8',
    reason:
      'Port 80 is in use by nginx. Stop it or choose other ports in the server settings, then set up again.',
    age: 9 * minute,
  },
  {
    ...unknown,
    name: 'new-1',
    status: 'pending',
    address: 'new-1.harbour.example',
    reason: 'Add the key to the server, then connect.',
    age: 2 * minute,
  },
  {
    ...unknown,
    name: 'new-2',
    status: 'pending',
    address: 'new-2.harbour.example',
    offered_host_key: hostKey('D'),
    reason: 'Compare the host key with the one on the server, then confirm it.',
    age: 3 * minute,
  },
]

/** The running or failed setup with its log. */
export async function makeSetup(
  ctx: Stage['ctx'],
  workspace_id: Id<'workspace'>,
  server_id: Id<'server'>,
  { status, reason }: Pick<WorldServer, 'status' | 'reason'>,
) {
  const id = newId('setup')
  const over = status === 'failed'
  await ctx.db
    .insertInto('setups')
    .values({
      id,
      workspace_id,
      server_id,
      status: over ? 'failed' : 'running',
      step: over ? 'proxy' : 'docker',
      error: reason ?? null,
      actor_name: 'Ada Lovelace',
      created_at: ago(3 * minute),
      finished_at: over ? ago(2 * minute) : null,
    })
    .execute()
  const said = [
    ['stdout', '==> check: Debian GNU/Linux 12 (bookworm), x86_64, 61 GB free\n==> docker: installing\n'],
    ['stdout', 'Get:1 http://deb.debian.org/debian bookworm/main amd64 docker.io amd64 20.10.24 [36.2 MB]\n'],
    ['stderr', 'debconf: delaying package configuration, since apt-utils is not installed\n'],
    ['stdout', 'Setting up containerd (1.6.20~ds1-1+b1) ...\n'],
  ] as const
  const pieces = said.map(([stream, text]) => ({ stream, text }))
  await appendOutput(ctx, ctx.db, workspace_id, id, pieces)
}
