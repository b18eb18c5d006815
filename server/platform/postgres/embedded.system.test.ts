import { spawn } from 'node:child_process'
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { processesBelow, temporaryFolder } from '../../../test/support/programs/programs.ts'
import { type EmbeddedPostgres, type Options, startPostgres } from './embedded.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

function listen() {
  const said: string[] = []
  const note = (fields: object, text: string) =>
    void said.push('reason' in fields ? `${text}: ${String(fields.reason)}` : text)
  return { said, log: { debug: note, info: note, warn: note, error: note } }
}

async function start(dataDir: string, options: Partial<Options> = {}): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, log: listen().log, ...options })
  onTestFinished(() => postgres.stop())
  return postgres
}

function pool(postgres: EmbeddedPostgres): Pool {
  const made = new Pool(postgres.connection).on('error', () => {})
  onTestFinished(async () => void (made.ended || (await made.end())))
  return made
}

async function postmaster(dataDir: string): Promise<number> {
  return Number.parseInt(await readFile(join(dataDir, 'postgres/postmaster.pid'), 'utf8'), 10)
}

describe('an embedded PostgreSQL', () => {
  /** The first test creates this database, and the others reuse it. */
  let dataDir: string
  beforeAll(async () => {
    dataDir = await temporaryFolder(afterAll)
  })

  test('starts from nothing, stops cleanly and finds its data again', async () => {
    const first = await start(dataDir)
    expect(first.status()).toEqual({ ok: true })
    const writer = pool(first)
    await writer.query(`create table notes as select 'Ünïcödé' as text`)
    const { rows: settings } = await writer.query(
      `select current_setting('listen_addresses') as network, current_setting('fsync') as fsync,
              current_setting('synchronous_commit') as commit, current_setting('full_page_writes') as pages,
              current_setting('is_superuser') as superuser`,
    )
    expect(settings).toEqual([{ network: '', fsync: 'on', commit: 'on', pages: 'on', superuser: 'off' }])
    await writer.end()
    await first.stop()
    expect(await processesBelow(dataDir)).toEqual([])
    expect(first.status()).toEqual({ ok: false, reason: 'PostgreSQL is stopped.' })
    const begin = Date.now()
    const second = await start(dataDir)
    expect(Date.now() - begin).toBeLessThan(60_000)
    const { rows } = await pool(second).query('select lower(text) as text from notes')
    expect(rows).toEqual([{ text: 'ünïcödé' }])
  })

  test('restarts when it is killed, and a pool recovers', async () => {
    const { said, log } = listen()
    const postgres = await start(dataDir, { log })
    const clients = pool(postgres)
    await clients.query('create table kept as select 1 as one')
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await vi.waitFor(() => expect(said).toContain('Restarted PostgreSQL'))
    expect(said).toContain('Failed to run PostgreSQL; retrying: PostgreSQL stopped (terminated by SIGKILL).')
    expect(postgres.status()).toEqual({ ok: true })
    await vi.waitFor(async () => expect((await clients.query('select one from kept')).rowCount).toBe(1))
  })

  test('reports recovery when one of its processes is killed', async () => {
    const { said, log } = listen()
    const postgres = await start(dataDir, { log })
    const clients = pool(postgres)
    const { rows } = await clients.query<{ pid: number }>('select pg_backend_pid() as pid')
    for (const { pid } of rows) process.kill(pid, 'SIGKILL')
    // Recovery may end before the status can be polled, but the log keeps both changes.
    await vi.waitFor(() => expect(said).toContain('Restarted PostgreSQL'))
    expect(said).toContain('Failed to run PostgreSQL; retrying: PostgreSQL crashed and is recovering.')
    expect(postgres.status()).toEqual({ ok: true })
    await clients.query('select 1')
  })

  test('can be stopped during recovery', async () => {
    const postgres = await start(dataDir)
    process.kill(await postmaster(dataDir), 'SIGKILL')
    await vi.waitFor(() => expect(postgres.status().ok).toBe(false))
    await postgres.stop()
    await vi.waitFor(async () => expect(await processesBelow(dataDir)).toEqual([]))
  })

  test('refuses data of another major version and names both', async () => {
    const dataDir = await temporaryFolder()
    await mkdir(join(dataDir, 'postgres'))
    await writeFile(join(dataDir, 'postgres/PG_VERSION'), '14\n')
    await expect(start(dataDir)).rejects.toThrow(
      /holds the data of PostgreSQL 14, but this version of Slipway includes PostgreSQL 18/,
    )
  })

  longTest('starts over after an interrupted first start', async () => {
    const dataDir = await temporaryFolder()
    await mkdir(join(dataDir, 'postgres.unfinished-abc123/base'), { recursive: true })
    await writeFile(join(dataDir, 'postgres.unfinished-abc123/PG_VERSION'), '18\n')
    await start(dataDir)
    expect(await readdir(dataDir)).toEqual(['postgres'])
  })

  test('leaves a foreign process with a reused ID alone', async () => {
    const first = await start(dataDir)
    const note = join(dataDir, 'postgres/postmaster.pid')
    const words = await readFile(note, 'utf8')
    const { uid, gid } = await stat(note)
    const stranger = spawn('sleep', ['60'], { uid, gid })
    await first.stop()
    onTestFinished(() => void stranger.kill())
    await writeFile(note, words.replace(/^\d+/, String(stranger.pid)))
    const second = await start(dataDir)
    expect(second.status()).toEqual({ ok: true })
    expect([stranger.exitCode, stranger.signalCode]).toEqual([null, null])
  })

  longTest('works with a path too long for a socket', async () => {
    const dataDir = join(await temporaryFolder(), 'deep'.repeat(20), 'deeper'.repeat(20))
    await mkdir(dataDir, { recursive: true })
    const { rows } = await pool(await start(dataDir)).query('select 1 as one')
    expect(rows).toEqual([{ one: 1 }])
  })

  test("can use Debian's PostgreSQL", async () => {
    const versions = await readdir('/usr/lib/postgresql').catch(() => [])
    expect(versions, 'This test needs another PostgreSQL: apt-get install postgresql').not.toEqual([])
    const [version = ''] = versions
    const binDir = `/usr/lib/postgresql/${version}/bin`
    const postgres = await start(await temporaryFolder(), { binDir })
    const { rows } = await pool(postgres).query(
      `select lower('Ü') as lower, current_setting('server_version') as version`,
    )
    expect(rows).toEqual([{ lower: 'ü', version: expect.stringMatching(`^${version}`) }])
  })

  test('explains what to do without PostgreSQL', async () => {
    const dataDir = await temporaryFolder()
    await expect(start(dataDir, { binDir: join(dataDir, 'nothing') })).rejects.toThrow(
      /does not run on this machine .*set DATABASE_URL/,
    )
  })

  test('explains why it does not start', async () => {
    await writeFile(join(dataDir, 'postgres/postgresql.conf'), 'nonsense here\n')
    await expect(start(dataDir)).rejects.toThrow(/PostgreSQL stopped \(.*postgresql\.conf/)
    expect(await processesBelow(dataDir)).toEqual([])
  })
})
