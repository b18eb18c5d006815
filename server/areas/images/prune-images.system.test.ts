import { afterAll, beforeEach, expect, test } from 'vitest'
import { previewPrune, pruneImages } from '../../../contract/images.ts'
import { loadBusybox, runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { makeImage } from '../../../test/support/programs/registry.ts'
import { busyboxImage } from '../../../test/support/rig/images.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'
import { getServerHost } from '../servers/server-host.ts'
import { readImages } from './image.ts'
import { removeUnusedImages } from './prune-images.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const host = await takeHost()
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { workspace, admin, viewer } = await makeTeam(slipway.db)
const name = unique('web')
const id = await makeServer(slipway.ctx, workspace, host, { name })

const preview = async (all: boolean) =>
  (await slipway.ok(previewPrune, { token: viewer.token, params: { id }, query: { all: String(all) } })).prune
const prune = async (all: boolean) =>
  (await slipway.ok(pruneImages, { token: admin.token, params: { id }, body: { all } })).prune
const byId = (images: { id: string }[]) => images.map((image) => image.id).toSorted()

// Other tests leave the base image behind, so load it before the tests start.
await loadBusybox(host)

/** Creates a base image, an image built on it, an older untagged one, and one that a container uses. */
beforeEach(async () => {
  await host.exec(
    'sh',
    '-c',
    'docker ps -aq | xargs -r docker rm -f; docker image prune -af; docker builder prune -af',
  )
  await host.loadImage(await busyboxImage())
  await makeImage(host, 'base:1', { a: 2_000_000, b: 10_000 })
  await makeImage(host, 'app:1', { c: 700_000 }, 'base:1')
  await makeImage(host, 'app:1', { c: 300_000 }, 'base:1')
  await makeImage(host, 'used:1', { d: 100_000 }, 'base:1')
  await host.exec('docker', 'run', '--detach', 'used:1', 'sleep', '600')
})

test('previews and removes untagged images with the bytes that only they use', async () => {
  const before = await preview(false)
  expect(before.images).toMatchObject([{ tags: [] }])
  expect(before.bytes).toBe(700_000)
  expect(await prune(false)).toEqual(before)
  expect(await preview(false)).toEqual({ images: [], bytes: 0 })
  expect(await prune(false)).toEqual({ images: [], bytes: 0 })
  const emitted = await slipway.db
    .selectFrom('events')
    .select(['type', 'target_name', 'detail'])
    .orderBy('id')
    .execute()
  expect(emitted[0]).toEqual({
    type: 'image.pruned',
    target_name: name,
    detail: 'and freed up to 684 KiB',
  })
})

test('removes all unused images without counting shared layers', async () => {
  const before = await preview(true)
  expect(before.images.flatMap(({ tags }) => tags).toSorted()).toEqual([
    'app:1',
    'base:1',
    'rig/busybox:latest',
  ])
  expect(before.bytes).toBe(1_000_000)
  const gone = await prune(true)
  expect(byId(gone.images)).toEqual(byId(before.images))
  expect(gone.bytes).toBe(before.bytes)
})

const namesOf = async (image: string) =>
  (await host.exec('docker', 'image', 'inspect', '--format', '{{join .RepoTags " "}}', image))
    .trim()
    .split(' ')
    .toSorted()

longTest('keeps all names of an image in use, and removes unused images with all names', async () => {
  await host.exec('docker', 'tag', 'used:1', 'used:2')
  await host.exec('docker', 'tag', 'used:1', 'localhost:5000/used:3')
  await host.exec('docker', 'tag', 'app:1', 'app:2')
  await host.exec('docker', 'tag', 'app:1', 'localhost:5000/app:3')
  const before = await preview(true)
  const gone = await prune(true)
  expect(byId(gone.images)).toEqual(byId(before.images))
  expect(gone.images.flatMap(({ tags }) => tags).toSorted()).toEqual([
    'app:1',
    'app:2',
    'base:1',
    'localhost:5000/app:3',
    'rig/busybox:latest',
  ])
  expect(await namesOf('used:1')).toEqual(['localhost:5000/used:3', 'used:1', 'used:2'])
  const left = await host.exec('docker', 'images', '--quiet', '--no-trunc')
  expect(new Set(left.trim().split('\n')).size).toBe(1)
})

longTest('removes a base image after its children, and keeps it while one remains', async () => {
  await host.exec(
    'sh',
    '-c',
    'docker commit "$(docker create base:1 true)" made:1; docker rm "$(docker ps -lq)"',
  )
  await host.exec('docker', 'tag', 'base:1', 'base:2')
  await host.exec('docker', 'run', '--detach', '--name', 'holds', 'made:1', 'sleep', '600')
  expect((await prune(true)).images.flatMap(({ tags }) => tags)).not.toContain('base:1')
  expect(await namesOf('base:1')).toEqual(['base:1', 'base:2'])
  await host.exec('docker', 'rm', '--force', 'holds')
  const gone = await prune(true)
  expect(gone.images.flatMap(({ tags }) => tags).toSorted()).toEqual(['base:1', 'base:2', 'made:1'])
})

longTest('keeps images that came into use or were tagged since the preview', async () => {
  await host.exec('docker', 'tag', 'app:1', 'app:2')
  const all = slipway.db.selectFrom('servers').selectAll()
  const server = await all.where('id', '=', id).executeTakeFirstOrThrow()
  const seen = (await readImages(slipway.ctx, server)).filter(({ usedBy }) => usedBy.length === 0)
  await host.exec('docker', 'create', 'app:1', 'true')
  await host.exec('docker', 'create', 'base:1', 'true')
  await host.exec('docker', 'tag', 'rig/busybox', 'mine:1')
  const gone = new Set<string>()
  await removeUnusedImages(getServerHost(slipway.ctx, server).docker, seen, gone)
  expect([...gone]).toEqual(seen.filter(({ tags }) => tags.length === 0).map((one) => one.id))
  expect(await namesOf('app:1')).toEqual(['app:1', 'app:2'])
  expect(await namesOf('base:1')).toEqual(['base:1'])
  expect(await namesOf('mine:1')).toEqual(['mine:1', 'rig/busybox:latest'])
})

test('counts a stopped container as a user', async () => {
  await host.exec('sh', '-c', 'docker ps -q | xargs docker stop -t 0')
  expect((await preview(true)).images.flatMap(({ tags }) => tags)).not.toContain('used:1')
  await runContainer(host, { options: ['--name', 'other'] })
  const { images } = await prune(true)
  expect(images.flatMap(({ tags }) => tags).toSorted()).toEqual(['app:1', 'base:1'])
})
