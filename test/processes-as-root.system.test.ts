import { execFileSync } from 'node:child_process'
import { chmod, chown, lstat, mkdir, open, rm, stat } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { root } from '../server/root.ts'
import { processesBelow, temporaryFolder } from './support/programs/programs.ts'
import { ask, enter, serverProgram, started, startProcess } from './support/programs/slipway-process.ts'
import { longTest } from './support/run/campaign.ts'

const ordinary = { uid: 65534, gid: 65534 }

beforeAll(() => {
  if (process.getuid?.() !== 0)
    throw new Error('These tests change users and mount file systems: run them as root.')
})

async function ownerOfDatabase(dataDir: string): Promise<number> {
  const [postgres] = await processesBelow(join(dataDir, 'postgres'))
  return (await lstat(`/proc/${postgres}`)).uid
}

/** The path of a program of this checkout that other users can read, even if the checkout is in a private folder. */
async function readable(program: string): Promise<string> {
  const folder = await temporaryFolder()
  await chmod(folder, 0o755)
  execFileSync('mount', ['--bind', root, folder])
  onTestFinished(() => void execFileSync('umount', ['--lazy', folder]))
  return join(folder, relative(root, program))
}

describe('a whole Slipway', () => {
  test('runs as an ordinary user with files for that user only', async () => {
    const folder = await temporaryFolder()
    const dataDir = join(folder, 'data')
    await chown(folder, ordinary.uid, ordinary.gid)
    const slipway = await startProcess(
      { DATA_DIR: dataDir, HOME: folder },
      ordinary,
      await readable(serverProgram),
    )
    await slipway.ready
    await enter(slipway.url)
    expect(await ownerOfDatabase(dataDir)).toBe(ordinary.uid)
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700)
    const key = await stat(join(dataDir, 'secret.key'))
    expect([key.mode & 0o777, key.uid]).toEqual([0o600, ordinary.uid])
    expect(await slipway.end('SIGINT')).toBe(0)
    expect(await processesBelow(folder)).toEqual([])
  })

  longTest('runs as root below a private folder with a database that does not run as root', async () => {
    const home = join(await temporaryFolder(), 'root')
    await mkdir(home, { mode: 0o700 })
    const dataDir = join(home, 'clone/data')
    for (let round = 0; round < 2; round++) {
      const slipway = await startProcess({ DATA_DIR: dataDir }, {}, started)
      await slipway.ready
      await enter(slipway.url)
      expect(await ownerOfDatabase(dataDir)).not.toBe(0)
      expect(await slipway.end('SIGTERM')).toBe(0)
    }
    expect((await stat(home)).mode & 0o777).toBe(0o700)
  })
})

describe('on a full disk', () => {
  async function smallDisk(megabytes: number): Promise<string> {
    const disk = await temporaryFolder()
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=0700`, 'slipway-test', disk])
    onTestFinished(() => void execFileSync('umount', ['--lazy', disk]))
    return disk
  }

  async function fill(path: string): Promise<void> {
    const file = await open(path, 'a')
    const block = Buffer.alloc(1 << 16)
    try {
      for (;;) await file.write(block)
    } catch {
      // The disk is full.
    } finally {
      await file.close()
    }
  }

  longTest('refuses to start and reports why', async () => {
    const disk = await smallDisk(8)
    const slipway = await startProcess({ DATA_DIR: disk })
    expect(await slipway.ended).toBe(1)
    expect(slipway.lines.join('\n')).toContain(`The disk that holds ${disk}/postgres is full.`)
  })

  test('reports the full disk and keeps all acknowledged writes when there is space again', async () => {
    const disk = await smallDisk(160)
    const slipway = await startProcess({ DATA_DIR: disk })
    await slipway.ready
    const token = await enter(slipway.url)
    const write = (n: number) => ask(slipway.url, '/v1/api-tokens', token, { name: `${n} ${'x'.repeat(80)}` })
    let acknowledged = 0
    const refused: string[] = []
    await fill(join(disk, 'filler'))
    await vi.waitFor(
      async () => {
        await fill(join(disk, 'filler'))
        const answers = await Promise.all(Array.from({ length: 20 }, (_, n) => write(n)))
        acknowledged += answers.filter(({ status }) => status === 201).length
        refused.push(
          ...answers.filter(({ status }) => status !== 201).map(({ status, text }) => `${status} ${text}`),
        )
        expect(refused.length).toBeGreaterThan(3)
      },
      { interval: 1 },
    )
    for (const answer of refused) expect(answer).toMatch(/^503 .*(disk_full|database_away)/)
    await vi.waitFor(
      async () => {
        const health = await ask(slipway.url, '/v1/health')
        expect(health.text).toContain(`The disk that holds ${disk}/postgres is full.`)
        expect(health.status).toBe(503)
      },
      { timeout: 120_000 },
    )
    await rm(join(disk, 'filler'))
    await vi.waitFor(async () => expect((await write(-1)).status).toBe(201), {
      interval: 200,
    })
    await vi.waitFor(async () => expect(await ask(slipway.url, '/v1/health')).toMatchObject({ status: 200 }))
    const { text } = await ask(slipway.url, '/v1/api-tokens?limit=1', token)
    expect(JSON.parse(text)).toMatchObject({ page: { total: expect.any(Number) } })
    expect(Number(/"total":(\d+)/.exec(text)?.[1])).toBeGreaterThan(acknowledged)
    expect(await slipway.end('SIGTERM')).toBe(0)
  })
})
