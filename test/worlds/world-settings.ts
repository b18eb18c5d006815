import type { Insertable } from 'kysely'
import type { Id } from '../../contract/shared/ids.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Tables } from '../../server/tables.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, hour, minute } from './world-times.ts'
import { sealedEntries } from '../../server/areas/applications/config.ts'

type Ctx = Stage['ctx']
interface Owner {
  workspace_id: Id<'workspace'>
  application_id: Id<'application'>
}

const long = 'averylongname'.repeat(12)

export const variables = {
  DATABASE_URL: 'postgres://shop:s3cret@db/shop',
  MODE: 'production',
  PRIVATE_KEY: '-----BEGIN KEY-----\nabc\n-----END KEY-----',
}

/** Settings of every kind and state, short and long. */
export async function makeSettings(
  ctx: Ctx,
  workspace_id: Id<'workspace'>,
  application_id: Id<'application'>,
) {
  const owner = { workspace_id, application_id }
  await makeVariables(ctx, owner, { ...variables, [`LONG_${'A'.repeat(120)}`]: 'b'.repeat(300) })
  await makeEntries(ctx, owner)
  await makeDomains(ctx, owner)
  await makeSamples(ctx, owner)
}

export async function makeVariables({ db, secrets }: Ctx, owner: Owner, values: Record<string, string>) {
  for (const [position, [key, value]] of Object.entries(values).entries()) {
    const id = newId('variable')
    const now = () => ago(position * hour + minute)
    const sealed = sealedEntries('variables').seal({ secrets, now }, id, { key, value })
    await db
      .insertInto('variables')
      .values({ id, ...owner, position, ...sealed })
      .execute()
  }
}

async function makeEntries({ db, secrets }: Ctx, owner: Owner) {
  const labels = { 'com.example.team': 'harbour', tier: 'front', [long.slice(0, 120)]: 'x'.repeat(200) }
  for (const [position, [key, value]] of Object.entries(labels).entries()) {
    const id = newId('label')
    const value_sealed = sealedEntries('labels').sealValue({ secrets }, id, value)
    await db
      .insertInto('labels')
      .values({ id, ...owner, position, key, value_sealed })
      .execute()
  }
  const volumes = { data: '/var/lib/data', '/srv/uploads': `/srv/${long}`, cache: '/var/cache' }
  for (const [position, [source, target]] of Object.entries(volumes).entries())
    await db
      .insertInto('volumes')
      .values({ id: newId('volume'), ...owner, position, source, target })
      .execute()
  for (const [source, target] of [
    [15_432, 5432],
    [16_379, 6379],
  ] as const)
    await db
      .insertInto('published_ports')
      .values({ id: newId('publishedPort'), ...owner, source, target })
      .execute()
}

type Certificate = Pick<Insertable<Tables['certificates']>, 'kind' | 'status'> &
  Partial<Insertable<Tables['certificates']>>

const domains: { host: string; https?: boolean; generated?: boolean; certificate?: Certificate }[] = [
  { host: 'shop.203.0.113.10.sslip.io', https: false, generated: true },
  {
    host: 'shop.example.com',
    certificate: { kind: 'acme', status: 'issued', issuer: 'Let’s Encrypt R11', expires_at: ago(-60 * day) },
  },
  {
    host: 'www.example.com',
    certificate: {
      kind: 'acme',
      status: 'failed',
      error: 'The CA refused www.example.com: DNS problem: NXDOMAIN looking up A for www.example.com.',
      next_try_at: ago(-2 * hour),
    },
  },
  { host: 'new.example.com', certificate: { kind: 'acme', status: 'waiting' } },
  {
    host: 'own.example.com',
    certificate: { kind: 'uploaded', status: 'issued', issuer: 'Harbour CA', expires_at: ago(-9 * day) },
  },
  { host: `${'a'.repeat(60)}.${'b'.repeat(60)}.${'c'.repeat(60)}.example.com`, https: false },
]

async function makeDomains({ db }: Ctx, owner: Owner) {
  for (const { host, https = true, generated = false, certificate } of domains) {
    const path = host === 'new.example.com' ? '/shop' : '/'
    await db
      .insertInto('domains')
      .values({ id: newId('domain'), ...owner, host, path, https, generated })
      .execute()
    const { workspace_id } = owner
    const problem = `${host} points to 198.51.100.4, not to web-1 (203.0.113.10). Set its A record to 203.0.113.10.`
    const verified = { proof: 'server', verified_at: ago(20 * day) } as const
    const state = host === 'new.example.com' ? { needs_txt: true, problem } : certificate ? verified : {}
    await db
      .updateTable('host_names')
      .set({ checked_at: ago(hour), ...state })
      .where('host', '=', host)
      .execute()
    if (certificate)
      await db
        .insertInto('certificates')
        .values({ id: newId('certificate'), workspace_id, host, ...certificate })
        .execute()
  }
}

/** Half an hour of traffic with a gap. */
async function makeSamples({ db }: Ctx, owner: Owner) {
  const samples = Array.from({ length: 180 }, (_, n) => {
    const busy = Math.abs(n - 90) > 20
    const requests = busy ? 12 + 4 * Math.sin(n / 9) : 0
    return {
      ...owner,
      at: ago(n * 10_000),
      requests,
      status_2xx: requests * 0.9,
      status_3xx: requests * 0.05,
      status_4xx: requests * 0.04,
      status_5xx: requests * 0.01,
      bytes_in: requests * 800,
      bytes_out: requests * 24_000,
      latency_ms: busy ? 24 : 0,
      ...latencies(requests),
      sessions: busy ? 9 : 2,
      cpu: 0.21,
      memory_used: 320 * 1024 ** 2,
    }
  })
  await db.insertInto('application_samples').values(samples).execute()
}

/** Half of the responses within 20 ms, 95 % within 50 ms and 99 % within 100 ms. */
const latencies = (requests: number) => ({
  slower_0: requests,
  slower_5: requests,
  slower_10: requests * 0.9,
  slower_20: requests * 0.5,
  slower_50: requests * 0.05,
  slower_100: requests * 0.01,
  slower_200: 0,
  slower_500: 0,
  slower_1000: 0,
  slower_2000: 0,
  slower_5000: 0,
  slower_10000: 0,
})
