import type { FakeServer } from '../account.ts'
import type { Call } from '../answer.ts'
import { timeOf } from './answers.ts'
import { images, regions } from './catalogue.ts'
import { sizesNow } from './lists.ts'

/** One event at a time: another one has to wait. The event of a creation that got stuck ends some time. */
export function isLocked({ status, created }: FakeServer): boolean {
  return status === 'deleting' || (status === 'starting' && Date.now() - created.getTime() < 500)
}

const statuses = { starting: 'new', running: 'active', off: 'off', deleting: 'active' } as const

export function show({ state }: Call, droplet: FakeServer) {
  const size = sizesNow(state).find(({ slug }) => slug === droplet.type)
  // The private one comes first; while it is new, there may be none at all.
  const networks = [
    {
      ip_address: `10.114.0.${(Number(droplet.id) % 250) + 2}`,
      netmask: '255.255.240.0',
      type: 'private',
      gateway: '',
    },
    { ip_address: droplet.address, netmask: '255.255.255.0', type: 'public', gateway: '203.0.113.1' },
  ]
  return {
    id: Number(droplet.id),
    name: droplet.name,
    memory: size?.memory,
    vcpus: size?.vcpus,
    disk: size?.disk,
    locked: isLocked(droplet),
    status: statuses[droplet.status],
    kernel: null,
    created_at: timeOf(droplet.created),
    features: ['droplet_agent', 'private_networking'],
    backup_ids: [],
    next_backup_window: null,
    snapshot_ids: [],
    image: images.find(({ slug }) => slug === droplet.image) ?? { slug: null, name: droplet.image },
    volume_ids: [],
    size,
    size_slug: droplet.type,
    networks: { v4: droplet.status === 'starting' ? [] : networks, v6: [] },
    region: regions.find(({ slug }) => slug === droplet.region),
    tags: droplet.tags,
    vpc_uuid: '760e09ef-dc84-11e8-981e-3cfdfeaae000',
  }
}

export const actionOf = ({ id, status, region, created }: FakeServer) => ({
  id: Number(id) + 1_000_000_000,
  status: status === 'starting' ? 'in-progress' : 'completed',
  type: 'create',
  started_at: timeOf(created),
  completed_at: status === 'starting' ? null : timeOf(new Date()),
  resource_id: Number(id),
  resource_type: 'droplet',
  region_slug: region,
})
