import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import autocannon from 'autocannon'
import pg from 'pg'
import { expect, test } from 'vitest'
import { median, report } from './results.ts'
import { newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

/** The query of `GET /v1/audit`. */
const query = `
  select *, (select count(*) from (select * from events where workspace_id = $1) as counted) as total
  from (select * from events where workspace_id = $2) as listed order by "id" desc limit $3`

test('lists 50 rows authenticated, compared to a bare server with the same query', async () => {
  const dataDir = newDataDir()
  const slipway = await startSlipway(4920, dataDir)
  const socket = join(dataDir, 'postgres')
  const token = await logIn(slipway.url)
  const workspace = await fill(socket)
  const bare = spawn(process.execPath, ['bench/bare.mjs'], {
    env: {
      ...process.env,
      BARE_PORT: '4921',
      BARE_SOCKET: socket,
      BARE_WORKSPACE: workspace,
      BARE_QUERY: query,
    },
  })
  try {
    await sleep(1_000)
    for (const connections of [10, 64]) await compare(connections, slipway.url, token)
  } finally {
    bare.kill()
    await slipway.stop()
    removeDataDir(dataDir)
  }
})

async function compare(connections: number, url: string, token: string) {
  const ours: Awaited<ReturnType<typeof load>>[] = []
  const theirs: typeof ours = []
  for (let round = 0; round < 3; round++) {
    theirs.push(await load('http://127.0.0.1:4921/list', connections))
    ours.push(await load(`${url}/v1/audit?limit=50`, connections, token))
  }
  const rate = median(ours.map((run) => run.rate))
  const ratio = median(ours.map((run, round) => run.rate / (theirs[round]?.rate ?? Number.NaN)))
  const p99 = median(ours.map((run) => run.p99))
  const bareP99 = median(theirs.map((run) => run.p99))
  report({
    what: `list of 50 rows, ${connections} connections, against bare Fastify + pg`,
    bar: '≥ 0.6 ×, p99 ≤ 50 ms',
    measured: `${ratio.toFixed(2)} × (${rate.toFixed(0)} req/s), p99 ${p99.toFixed(0)} ms (bare: ${bareP99.toFixed(0)} ms)`,
    met: ratio >= 0.6 && p99 <= 50,
  })
}

async function load(url: string, connections: number, token?: string) {
  const headers = token ? { authorization: `Bearer ${token}` } : {}
  const result = await autocannon({ url, connections, duration: 6, headers, workers: 1 })
  expect(result.non2xx + result.errors).toBe(0)
  return { rate: result.requests.average, p99: result.latency.p99 }
}

async function fill(socket: string): Promise<string> {
  const client = new pg.Client({ host: socket, user: 'slipway', database: 'slipway' })
  await client.connect()
  const { rows } = await client.query<{ id: string }>('select id from workspaces limit 1')
  const workspace = rows[0]?.id ?? ''
  await client.query(
    `insert into events (id, workspace_id, type, actor_name, via, target_kind, target_id, target_name, address)
     select 'evt_' || lpad(n::text, 26, '0'), $1, 'member.role_changed', 'Somebody', 'session', 'member', 'mem_1', 'Ada', '127.0.0.1'
     from generate_series(1, 49) n`,
    [workspace],
  )
  await client.end()
  return workspace
}
