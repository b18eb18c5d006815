import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import type { Tables } from '../../server/tables.ts'
import { makeCloudServer, makeCloudToken } from '../support/factories/cloud-factories.ts'
import type { Stage } from '../support/browser/stage.ts'
import { facts, makeSetup } from './world-servers.ts'
import { ago, day, minute } from './world-times.ts'

type Row = Partial<Insertable<Tables['servers']>>
type Cloud = Partial<Insertable<Tables['cloud_servers']>>

const untouched = { host_keys: [], machine: null, public_key: facts.public_key }
const ordered = { region: 'fsn1', type: 'cx23', created_at: ago(2 * minute) }
/** A creation in progress. */
const unmade: Row = { ...untouched, ...ordered, address: null }
const booted: Row = { ...unmade, address: '203.0.113.7' }
const settled: Row = { ...facts, ...ordered, created_at: ago(30 * day) }
const there: Cloud = { cloud_id: '104000001', image: 'debian-12', seen_at: ago(2 * minute) }
const costs = 'It costs €4.51 a month until it is deleted.'

/** Named by state. */
const names = [
  'ordering',
  'booting',
  'calling',
  'waiting',
  'arriving',
  'refused',
  'stuck',
  'silent',
  'shown',
  'deleted',
  'stopped',
  'moved',
  'resized',
  'duplicated',
  'unseen',
  'going',
  'lingering',
  'picked',
] as const
export type CloudState = (typeof names)[number]

const states: Record<CloudState, { server: Row; cloud: Cloud }> = {
  ordering: {
    server: { ...unmade, status: 'provisioning' },
    cloud: { step: 'create', status: 'unknown', image: 'debian-12' },
  },
  booting: {
    server: { ...unmade, status: 'provisioning' },
    cloud: { ...there, step: 'boot', status: 'starting' },
  },
  calling: { server: { ...booted, status: 'provisioning' }, cloud: { ...there, step: 'call' } },
  waiting: {
    server: {
      ...booted,
      status: 'provisioning',
      reason: 'Hetzner has not answered for 4 minutes. Slipway keeps trying.',
    },
    cloud: { ...there, step: 'call' },
  },
  arriving: { server: { ...booted, ...facts, docker_version: null, status: 'setting_up' }, cloud: there },
  refused: {
    server: {
      ...unmade,
      status: 'failed',
      reason:
        'cx23 is sold out in fsn1 at Hetzner. No server was created, so nothing is billed. Retry, with another configuration if necessary, or delete the server.',
    },
    cloud: { step: 'create', status: 'unknown', image: 'debian-12' },
  },
  stuck: {
    server: {
      ...unmade,
      status: 'failed',
      reason: `Hetzner created the server, but it did not start within 15 minutes. ${costs} Retry, or delete the server.`,
    },
    cloud: { ...there, step: 'boot', status: 'starting' },
  },
  silent: {
    server: {
      ...booted,
      status: 'failed',
      reason: `The server is running at 203.0.113.7, but did not connect to Slipway at https://slipway.example.com within 15 minutes. ${costs}`,
    },
    cloud: { ...there, step: 'call' },
  },
  shown: {
    server: {
      ...booted,
      status: 'failed',
      offered_host_key: facts.host_keys[0] ?? null,
      reason: 'Compare the host key with the one on the server, then confirm it.',
    },
    cloud: { ...there, step: 'call' },
  },
  deleted: {
    server: { ...settled, status: 'unreachable', reason: 'It does not answer.' },
    cloud: { ...there, status: 'deleted' },
  },
  stopped: {
    server: { ...settled, status: 'unreachable', reason: 'It does not answer.' },
    cloud: { ...there, status: 'stopped' },
  },
  moved: {
    server: { ...settled, address: '203.0.113.8', status: 'unreachable', reason: 'It does not answer.' },
    cloud: { ...there, address: '203.0.113.88', moved_from: '203.0.113.8' },
  },
  resized: {
    server: { ...settled, type: 'cx33' },
    cloud: { ...there, resized_from: 'cx23', resized_at: ago(day), price_monthly: 7.55 },
  },
  duplicated: { server: settled, cloud: { ...there, duplicates: ['104000099'] } },
  unseen: { server: settled, cloud: { ...there, cloud_token_id: null } },
  going: { server: { ...settled, status: 'deleting' }, cloud: there },
  lingering: {
    server: {
      ...settled,
      status: 'deleting',
      reason: `Hetzner rejected this token. Slipway keeps retrying. Until the server is destroyed, it may exist at Hetzner and still costs €4.51 a month.`,
    },
    cloud: there,
  },
  picked: {
    server: {
      ...booted,
      status: 'pending',
      reason: 'Run the import command on the server, or add the key there and connect.',
    },
    cloud: { ...there, origin: 'imported' },
  },
}

/** A server in one of these states, named after it. */
export async function makeShownCloudServer(
  ctx: Stage['ctx'],
  workspace: Id<'workspace'>,
  tokenId: Id<'cloudToken'>,
  state: CloudState,
  given: Cloud = {},
): Promise<Id<'server'>> {
  const { server, cloud } = states[state]
  // A unique ID, where it has one.
  const own = cloud.cloud_id ? { cloud_id: `${cloud.cloud_id}${names.indexOf(state)}` } : {}
  const rows = [
    { ...cloud, ...own, ...given },
    { name: state, ...server },
  ] as const
  const id = await makeCloudServer(ctx, workspace, tokenId, ...rows)
  if (state === 'arriving') await makeSetup(ctx, workspace, id, { status: 'setting_up' })
  return id
}

/** One server per state; returns their paths. */
export async function makeCloudWorld(ctx: Stage['ctx'], workspace: Id<'workspace'>, token: string) {
  const tokenId = await makeCloudToken(ctx, workspace, token, { name: 'Acme production' })
  const ids = new Map<CloudState, string>()
  for (const state of names) ids.set(state, await makeShownCloudServer(ctx, workspace, tokenId, state))
  return (state: CloudState) => `/dashboard/servers/${ids.get(state)}`
}
