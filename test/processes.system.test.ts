import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test, vi } from 'vitest'
import { z } from 'zod'
import { createLog } from '../server/platform/log.ts'
import { startPostgres } from '../server/platform/postgres/embedded.ts'
import { longTest, times } from './support/run/campaign.ts'
import { processesBelow, temporaryFolder } from './support/programs/programs.ts'
import { ask, enter, startProcess } from './support/programs/slipway-process.ts'

const away = 'Slipway cannot reach its database. Try again shortly.'

async function startFresh(env: Record<string, string> = {}) {
  const dataDir = join(await temporaryFolder(), 'data')
  const slipway = await startProcess({ DATA_DIR: dataDir, ...env })
  await slipway.ready
  return { dataDir, slipway }
}

async function namesOfTokens(url: string, token: string): Promise<Set<string>> {
  const reply = z.object({
    api_tokens: z.array(z.object({ name: z.string() })),
    page: z.object({ next: z.string().nullable() }),
  })
  const names = new Set<string>()
  for (let cursor: string | null = ''; cursor !== null;) {
    const { text } = await ask(url, `/v1/api-tokens?limit=200${cursor ? `&cursor=${cursor}` : ''}`, token)
    const read: z.infer<typeof reply> = reply.parse(JSON.parse(text))
    for (const { name } of read.api_tokens) names.add(name)
    cursor = read.page.next
  }
  return names
}

/** Sends requests until the statuses of a round suffice, and returns all responses. */
async function askUntil(url: string, token: string, enough: (statuses: number[]) => boolean) {
  const answers: Awaited<ReturnType<typeof ask>>[] = []
  for (const end = Date.now() + 120_000; Date.now() < end; await sleep(10)) {
    const all = await Promise.all(
      ['/v1/user', '/v1/audit', '/v1/projects'].map((path) => ask(url, path, token)),
    )
    answers.push(...all)
    if (enough(all.map(({ status }) => status))) return answers
  }
  throw new Error(`It never came to that: ${JSON.stringify(answers.slice(-3))}`)
}

/** One is enough, because an outage can end during a round. */
const fails = (statuses: number[]) => statuses.includes(503)
const works = (statuses: number[]) => statuses.every((status) => status === 200)

test(
  'keeps all acknowledged writes over repeated kill -9',
  async () => {
    const { dataDir, slipway: first } = await startFresh()
    const token = await enter(first.url)
    const acknowledged = new Set<string>()
    let running = first
    for (let round = 0; round < times(2, 100); round++) {
      const { url } = running
      const writers = [1, 2, 3, 4].map(async (writer) => {
        for (let n = 0; ; n++) {
          const name = `${round} ${writer} ${n}`
          const { status } = await ask(url, '/v1/api-tokens', token, { name })
          if (status !== 201) return
          acknowledged.add(name)
        }
      })
      const before = acknowledged.size
      await vi.waitFor(() => expect(acknowledged.size).toBeGreaterThan(before + 1), {
        interval: 5,
      })
      await sleep(Math.random() * 100)
      await running.end('SIGKILL')
      await Promise.all(writers)
      running = await startProcess({ DATA_DIR: dataDir })
      await running.ready
    }
    const kept = await namesOfTokens(running.url, token)
    expect(acknowledged.size).toBeGreaterThan(3)
    expect([...acknowledged].filter((name) => !kept.has(name))).toEqual([])
    expect(await running.end('SIGTERM')).toBe(0)
  },
  times(240_000, 1_200_000),
)

longTest('refuses a second process on the same data and keeps the first running', async () => {
  const { dataDir, slipway } = await startFresh()
  const second = await startProcess({ DATA_DIR: dataDir })
  expect(await second.ended).toBe(1)
  expect(second.lines).toContain(
    `Another Slipway (process ${slipway.child.pid}) is already using ${dataDir}. Stop it first, or set DATA_DIR to another folder.`,
  )
  expect(await ask(slipway.url, '/v1/health')).toMatchObject({ status: 200 })
})

test('reports all configuration errors together', async () => {
  const wrong = await startProcess({
    PORT: 'x',
    ROLE: 'boss',
    SIGNUP: 'no',
    SMTP_URL: 'mail',
    SECRET_KEY: 'short',
  })
  expect(await wrong.ended).toBe(1)
  const said = wrong.lines.join('\n')
  expect(said).toContain('Invalid configuration:')
  for (const name of ['PORT', 'ROLE', 'SIGNUP', 'SMTP_URL', 'SECRET_KEY'])
    expect(said).toContain(`  ${name} `)
  expect(said).not.toContain('    at ')
})

test('shuts down in order on Ctrl-C and leaves no process running', async () => {
  const { dataDir, slipway } = await startFresh()
  const token = await enter(slipway.url)
  const stream = fetch(`${slipway.url}/v1/live`, { headers: { authorization: `Bearer ${token}` } })
  expect((await stream).status).toBe(200)
  const begin = Date.now()
  expect(await slipway.end('SIGINT')).toBe(0)
  expect(Date.now() - begin).toBeLessThan(60_000)
  expect(await processesBelow(dataDir)).toEqual([])
})

describe('when the database fails', () => {
  test('reports the failure and recovers after kill -9 of the database under load', async () => {
    const { dataDir, slipway } = await startFresh()
    const token = await enter(slipway.url)
    const pid = Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
    const load = askUntil(slipway.url, token, fails)
    await sleep(50)
    process.kill(pid, 'SIGKILL')
    const answers = await load
    answers.push(...(await askUntil(slipway.url, token, works)))
    expect([...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b)).toEqual([200, 503])
    const refused = answers.filter(({ status }) => status === 503)
    for (const { text, retryAfter } of refused) {
      expect(JSON.parse(text)).toEqual({ error: away, code: 'database_away' })
      expect(Number(retryAfter)).toBeGreaterThan(0)
    }
    await vi.waitFor(async () => expect(await ask(slipway.url, '/v1/health')).toMatchObject({ status: 200 }))
  })

  longTest('reports an unreachable external database and continues when it is back', async () => {
    const folder = await temporaryFolder()
    const log = createLog('error')
    const postgres = await startPostgres({ dataDir: folder, log })
    const { host, user, database } = postgres.connection
    const DATABASE_URL = `postgres://${user}@${encodeURIComponent(host)}/${database}`
    const { slipway } = await startFresh({ DATABASE_URL })
    const token = await enter(slipway.url)
    await postgres.stop()
    const answers = await askUntil(slipway.url, token, fails)
    expect(await ask(slipway.url, '/v1/health')).toMatchObject({
      status: 503,
      text: expect.stringContaining(away),
    })
    const again = await startPostgres({ dataDir: folder, log })
    answers.push(...(await askUntil(slipway.url, token, works)))
    expect([...new Set(answers.map(({ status }) => status))].toSorted((a, b) => a - b)).toEqual([200, 503])
    expect(await slipway.end('SIGTERM')).toBe(0)
    await again.stop()
  })
})
