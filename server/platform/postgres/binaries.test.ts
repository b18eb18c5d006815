import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFolder } from '../../../test/support/programs/programs.ts'
import { copyBinaries } from './binaries.ts'

test('removes interrupted copies, but not one that may be in progress', async () => {
  const [home, cache] = [await temporaryFolder(), await temporaryFolder()]
  await mkdir(join(home, 'native'))
  await writeFile(join(home, 'native/postgres'), '')
  const [left, underWay] = [join(cache, 'postgres-18.1.0aa1bb2c'), join(cache, 'postgres-18.1.ffee0011')]
  await mkdir(join(left, 'native'), { recursive: true })
  await mkdir(underWay)
  await utimes(left, 0, Date.now() / 1000 - 7200)
  expect(await copyBinaries(home, '18.1', cache)).toBe(join(cache, 'postgres-18.1/native'))
  expect((await readdir(cache)).sort()).toEqual(['postgres-18.1', 'postgres-18.1.ffee0011'])
  await utimes(underWay, 0, Date.now() / 1000 - 7200)
  await copyBinaries(home, '18.1', cache)
  expect(await readdir(cache)).toEqual(['postgres-18.1'])
})
