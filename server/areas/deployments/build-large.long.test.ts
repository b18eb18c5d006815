import { randomBytes } from 'node:crypto'
import { expect, test, vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import { openBuildStage } from '../../../test/support/stages/build-stage.ts'

vi.setConfig({ testTimeout: 3_600_000, hookTimeout: 120_000 })

const stage = await openBuildStage()
const { github, slipway, host, request, ended, makeBuilt, left, lines } = stage
slipway.work()

const mebi = 1024 ** 2
/** Bytes per file. */
const size = 100 * mebi
const files = { Dockerfile: 'FROM rig/busybox\nCMD ["sleep", "3600"]\n', '.dockerignore': '*.bin\n' }
const deploy = async (id: Id<'application'>) => ended((await request(id)).id, 1_800_000)
/** Returns the disk usage of the source folder in bytes. */
const kept = async (id: Id<'application'>) =>
  Number((await lines('du -sk "/var/lib/slipway/sources/$1" | cut -f 1', id))[0]) * 1024

test('fetches a repository of 2 GB without its history', async () => {
  const { id, repository } = await makeBuilt({ ...files, 'old.bin': randomBytes(size) })
  await github.commit(repository, { files: { 'old.bin': null } })
  const count = 20
  for (let nth = 0; nth < count; nth++)
    await github.commit(repository, { files: { [`${nth}.bin`]: randomBytes(size) } })
  const done = await deploy(id)
  expect([done.errors, done.status]).toEqual([[], 'completed'])
  expect(await left(id)).toEqual({ work: [], folders: ['git'], tags: ['1'], groups: [] })
  expect(await kept(id)).toBeGreaterThan(count * size)
  expect(await kept(id)).toBeLessThan((count + 0.5) * size)
})

test('stops a fetch when the disk fills up, and removes it', async () => {
  const { id, repository } = await makeBuilt(files)
  for (const name of ['a.bin', 'b.bin', 'c.bin'])
    await github.commit(repository, { files: { [name]: randomBytes(size) } })
  const pack = `/${repository}.git/git-upload-pack`
  // GitHub holds the first request of Git until the disk is too full for the repository; Git then retries.
  github.fail(pack, 'slow', 1)
  github.state.bytesPerSecond = size / 2
  const { id: deployment } = await request(id)
  await vi.waitFor(() => expect(github.asked).toContain(`POST ${pack}`), { timeout: 60_000 })
  const [free = '0'] = await lines('df --output=avail -B1 / | tail -1 | tr -dc 0-9')
  await host.exec('fallocate', '-l', String(Number(free) - 256 * mebi - size), '/filled')
  github.letGo()
  const failed = await ended(deployment, 120_000)
  expect(failed.errors[0]).toMatch(/^Fetching \S+ at \w{7} was stopped: the disk of \S+ is almost full\./)
  expect(await left(id)).toEqual({ work: [], folders: ['git'], tags: [], groups: [] })
  expect(await kept(id)).toBeLessThan(mebi)
  await host.exec('rm', '/filled')
  github.state.bytesPerSecond = Infinity
  expect((await deploy(id)).errors).toEqual([])
})
