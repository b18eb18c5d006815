import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { newId } from '../server/platform/ids.ts'
import { createSecrets, readKeyFile } from '../server/platform/secrets.ts'
import { newKeyPair } from '../server/remote/ssh/key-pair.ts'
import { collecting, cpuSeconds, memory, workerOf } from './process.ts'
import { report } from './results.ts'
import { newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

const SERVERS = 200
const HOSTS_PORT = 4931
const long = process.env['LONG'] !== undefined
const seconds = long ? 600 : 60
/** Waits until memory use is stable. */
const settling = long ? 120 : 20

test(
  'collects metrics of 200 servers every 10 s',
  async () => {
    const dataDir = newDataDir()
    const hosts = spawn(process.execPath, ['bench/fixtures/hosts.mjs'], {
      env: { ...process.env, HOSTS_PORT: String(HOSTS_PORT) },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void hosts.kill())
    const [hostKey] = await once(hosts.stdout, 'data')
    const slipway = await startSlipway(4930, dataDir, collecting)
    const client = new pg.Client({ host: join(dataDir, 'postgres'), user: 'slipway', database: 'slipway' })
    try {
      await logIn(slipway.url)
      await client.connect()
      await addServers(client, dataDir, String(hostKey).trim())
      await untilAllTell(client)
      await sleep(settling * 1_000)
      await measure(client, workerOf(slipway.child.pid ?? 0))
    } finally {
      await client.end()
      await slipway.stop()
      removeDataDir(dataDir)
    }
  },
  (seconds + 300) * 1_000,
)

async function addServers(client: pg.Client, dataDir: string, hostKey: string) {
  const secrets = createSecrets([await readKeyFile(dataDir)])
  const { privateKey, publicKey } = newKeyPair('bench')
  const { rows } = await client.query<{ id: string }>('select id from workspaces limit 1')
  const ids = Array.from({ length: SERVERS }, () => newId('server'))
  await client.query(
    `insert into servers (id, workspace_id, name, status, address, port, username, key_sealed, public_key, host_keys)
     select id, $1, id, 'ready', '127.0.0.1', $2, 'root', sealed, $3, array[$4]
     from unnest($5::text[], $6::text[]) as given (id, sealed)`,
    [
      rows[0]?.id,
      HOSTS_PORT,
      publicKey,
      hostKey,
      ids,
      ids.map((id) => secrets.seal(`servers.key_sealed:${id}`, privateKey)),
    ],
  )
}

async function untilAllTell(client: pg.Client) {
  const began = performance.now()
  while ((await count(client, 'count(distinct server_id)')) < SERVERS) {
    if (performance.now() - began > 120_000) throw new Error('Not all servers tell their figures.')
    await sleep(500)
  }
}

async function measure(client: pg.Client, pid: number) {
  const memoryBefore = await memory(pid)
  const before = { cpu: cpuSeconds(pid), samples: await count(client) }
  const began = performance.now()
  await sleep(seconds * 1_000)
  const took = (performance.now() - began) / 1_000
  const share = (cpuSeconds(pid) - before.cpu) / took
  const samples = (await count(client)) - before.samples
  expect(samples / SERVERS).toBeGreaterThan(took / 10 - 1.5)
  report({
    what: `figures of ${SERVERS} servers every 10 s, CPU of the process over ${seconds} s`,
    bar: '≤ 25 % of one core',
    measured: `${(share * 100).toFixed(1)} %, ${samples} samples`,
    met: share <= 0.25,
  })
  if (!long) return
  const growth = (await memory(pid)) / memoryBefore - 1
  report({
    what: `figures of ${SERVERS} servers every 10 s, growth of memory over 10 minutes`,
    bar: '≤ 10 %',
    measured: `${(growth * 100).toFixed(1)} % of ${memoryBefore.toFixed(0)} MB`,
    met: growth <= 0.1,
  })
}

async function count(client: pg.Client, what = 'count(*)'): Promise<number> {
  const { rows } = await client.query<{ n: string }>(`select ${what} as n from server_samples`)
  return Number(rows[0]?.n)
}
