import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { bundle, removeBundle, startProgram, temporaryFolder } from '../../test/support/programs/programs.ts'
import { claimDataDir, openSocketDir } from './data-dir.ts'

let claimer: string
beforeAll(async () => {
  claimer = await bundle('server/platform/postgres/fixtures/claimer.mjs')
})
afterAll(() => removeBundle(claimer))

describe('claiming a data folder', () => {
  test('creates it privately and leaves nothing behind', async () => {
    const path = join(await temporaryFolder(), 'some/where')
    const claim = await claimDataDir(path)
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    await claim.release()
    expect(await readdir(path)).toEqual([])
  })

  test('reports the other process and what to do', async () => {
    const path = await temporaryFolder()
    const claim = await claimDataDir(path)
    const second = startProgram(claimer, [path])
    expect(await second.line(/./)).toBe(
      `refused Another Slipway (process ${process.pid}) is already using ${path}. ` +
        'Stop it first, or set DATA_DIR to another folder.',
    )
    await claim.release()
    await startProgram(claimer, [path]).line(/claimed/)
  })

  test('takes over the claim of a killed process', async () => {
    const path = await temporaryFolder()
    const killed = startProgram(claimer, [path])
    await killed.line(/claimed/)
    await killed.end('SIGKILL')
    expect(await readdir(path)).toHaveLength(1)
    const claim = await claimDataDir(path)
    expect(await readdir(path)).toHaveLength(1)
    await claim.release()
    expect(await readdir(path)).toEqual([])
  })

  test('admits exactly one of many concurrent processes', async () => {
    const path = await temporaryFolder()
    const killed = startProgram(claimer, [path])
    await killed.line(/claimed/)
    await killed.end('SIGKILL')
    for (let round = 0; round < 30; round += 1) {
      const attempts = await Promise.allSettled(Array.from({ length: 8 }, () => claimDataDir(path)))
      const winners = attempts.filter((attempt) => attempt.status === 'fulfilled')
      expect(winners).toHaveLength(1)
      await Promise.all(winners.map((winner) => winner.value.release()))
    }
    const programs = Array.from({ length: 4 }, () => startProgram(claimer, [path]))
    const words = await Promise.all(programs.map((program) => program.line(/./)))
    expect(words.filter((word) => word === 'claimed')).toHaveLength(1)
  })

  test('works with a path too long for a socket', async () => {
    const path = join(await temporaryFolder(), 'deep'.repeat(20), 'deeper'.repeat(20))
    await mkdir(path, { recursive: true })
    const claim = await claimDataDir(path)
    await expect(claimDataDir(path)).rejects.toThrow('is already using')
    await claim.release()
    expect(await readdir(path)).toEqual([])
  })

  test('uses a link in the home folder without /proc', async () => {
    const folder = await temporaryFolder()
    vi.stubEnv('HOME', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const deep = join(folder, 'deep'.repeat(30))
    await mkdir(deep)
    const first = await openSocketDir(deep, 20, 'darwin')
    expect(await realpath(first.path)).toBe(deep)
    expect((await openSocketDir(deep, 20, 'darwin')).path).toBe(first.path)
  })

  test('reports a folder that cannot be created', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    await expect(claimDataDir(join(file, 'data'))).rejects.toThrow(
      /^Slipway cannot use the data folder .*ENOTDIR/,
    )
  })
})
