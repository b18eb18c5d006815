import { mkdir, readdir, realpath, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { bundle, removeBundle, startProgram, temporaryFolder } from '../../test/support/programs/programs.ts'
import { claimDataDir } from './data-dir.ts'
import { openSocketDir } from './data-dir-socket.ts'

let claimer: string
beforeAll(async () => {
  claimer = await bundle('server/platform/postgres/fixtures/claimer.mjs')
})
afterAll(() => removeBundle(claimer))

describe('claiming a data folder', () => {
  test('makes it, private to us, and leaves nothing behind on release', async () => {
    const path = join(await temporaryFolder(), 'some/where')
    const claim = await claimDataDir(path)
    expect((await stat(path)).mode & 0o777).toBe(0o700)
    await claim.release()
    expect(await readdir(path)).toEqual([])
  })

  test('a second Slipway is told who has it and what to do', async () => {
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

  test('a claim left by kill -9 is taken over and cleared away', async () => {
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

  test('of many that start at once exactly one wins, time after time, stale claims or not', async () => {
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

  test('works in a folder too deep for the path of a socket', async () => {
    const path = join(await temporaryFolder(), 'deep'.repeat(20), 'deeper'.repeat(20))
    await mkdir(path, { recursive: true })
    const claim = await claimDataDir(path)
    await expect(claimDataDir(path)).rejects.toThrow('is already using')
    await claim.release()
    expect(await readdir(path)).toEqual([])
  })

  test('reaches a deep folder through a link in the home folder where there are no handles in /proc', async () => {
    const folder = await temporaryFolder()
    vi.stubEnv('HOME', folder)
    onTestFinished(() => void vi.unstubAllEnvs())
    const deep = join(folder, 'deep'.repeat(30))
    await mkdir(deep)
    const first = await openSocketDir(deep, 20, 'darwin')
    expect(await realpath(first.path)).toBe(deep)
    expect((await openSocketDir(deep, 20, 'darwin')).path).toBe(first.path)
  })

  test('says so when the folder cannot be made', async () => {
    const file = join(await temporaryFolder(), 'file')
    await writeFile(file, '')
    await expect(claimDataDir(join(file, 'data'))).rejects.toThrow(
      /^Slipway cannot use the data folder .*ENOTDIR/,
    )
  })
})
