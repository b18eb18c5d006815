import { createHash } from 'node:crypto'
import type { Insertable, Selectable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import type { Db, Tables } from '../../server/tables.ts'
import { ago, day, hour, minute } from './world-times.ts'

type Row = Insertable<Tables['containers']>
type ContainerInput = Pick<Row, 'name' | 'image' | 'state'> &
  Partial<Omit<Row, 'ports'>> & { ports?: Selectable<Tables['containers']>['ports'] }

const everywhere = (port: number, container_port: number) =>
  ['0.0.0.0', '::'].map((address) => ({ address, port, container_port, protocol: 'tcp' }))
const inside = (container_port: number) => ({ address: null, port: null, container_port, protocol: 'tcp' })

const registry = `registry.harbour.example:5000/team/${'averylongname'.repeat(8)}/api:2026-11-15-3f9c2d1`

const containers: ContainerInput[] = [
  { name: 'mail-relay', image: 'boky/postfix:4', state: 'restarting', exit_code: 1, restarts: 14 },
  { name: 'old-batch', image: 'batch:1', state: 'dead', exit_code: 255 },
  { name: 'preview-71', image: 'storefront:pr-71', state: 'removing' },
  {
    name: 'shop-web-1',
    image: 'nginx:1.27-alpine',
    state: 'running',
    health: 'healthy',
    project: 'shop',
    service: 'web',
    ports: [...everywhere(80, 80), ...everywhere(443, 443)],
    cpu: 0.034,
    memory_used: 48_300_000,
  },
  {
    name: 'shop-api-1',
    image: registry,
    state: 'running',
    health: 'unhealthy',
    project: 'shop',
    service: 'api',
    ports: [{ address: '203.0.113.10', port: 8080, container_port: 3000, protocol: 'tcp' }, inside(9229)],
    cpu: 1.87,
    memory_used: 912_000_000,
    memory_limit: 1_073_741_824,
  },
  { name: 'search', image: 'opensearch:2.17', state: 'running', health: 'starting', ports: [inside(9200)] },
  {
    name: `averyveryverylongcontainername_${'x'.repeat(90)}`,
    image: 'redis:7.4',
    state: 'running',
    ports: [6379, 6380, 6381, 6382, 6383].map(inside),
    cpu: 0.002,
    memory_used: 8_900_000,
  },
  { name: 'nightly-report', image: 'reports:2', state: 'paused', cpu: 0, memory_used: 22_000_000 },
  { name: 'spare', image: 'nginx:1.27-alpine', state: 'created', started_at: null },
  { name: 'migrate', image: 'storefront:1.9.2', state: 'exited', exit_code: 0 },
  { name: 'import-feed', image: 'feed:0.4', state: 'exited', exit_code: 3 },
]

/** One container in every Docker state. */
export async function makeContainers(db: Db, workspace_id: Id<'workspace'>, server_id: Id<'server'>) {
  const rows = containers.map((given, index) => ({
    workspace_id,
    server_id,
    id: hash(`${server_id} ${given.name}`),
    image_id: `sha256:${hash(given.image)}`,
    created_at: ago(12 * day),
    started_at: ago(index * index * hour + minute),
    finished_at: given.state === 'exited' ? ago(20 * minute) : null,
    ...given,
    // The PostgreSQL driver would turn a list into an array.
    ports: JSON.stringify(given.ports ?? []),
  }))
  await db.insertInto('containers').values(rows).execute()
  await db
    .updateTable('servers')
    .set({ containers_live: true, watched_until: ago(-day) })
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', server_id)
    .execute()
}

const hash = (text: string) => createHash('sha256').update(text).digest('hex')
