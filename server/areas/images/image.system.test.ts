import { afterAll, beforeAll, expect, test } from 'vitest'
import { listImages, removeImage } from '../../../contract/images.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam, unique } from '../../../test/support/factories/factories.ts'
import { makeImage } from '../../../test/support/programs/registry.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'

const host = await takeHost()
const slipway = await startSlipway({ PROXY_IMAGE: 'plain' })
afterAll(() => slipway.close())
const { workspace, admin, viewer } = await makeTeam(slipway.db)
const name = unique('web')
const id = await makeServer(slipway.ctx, workspace, host, { name })

const list = (query: Record<string, string> = {}) =>
  slipway.ok(listImages, { token: viewer.token, params: { id }, query })
const named = async (tag: string) => (await list({ q: tag })).images.find(({ tags }) => tags.includes(tag))
const remove = (image: string, query: Record<string, string> = {}) =>
  slipway.call(removeImage.key, { token: admin.token, params: { id, name: image }, query })
const conflictOf = async (image: string) => {
  const sent = { token: admin.token, params: { id, name: image } }
  return (await slipway.refused(removeImage, sent, 409, 'image_conflict')).text
}

beforeAll(async () => {
  await makeImage(host, 'shop/web:1.0', { a: 500_000 })
  await host.exec('docker', 'tag', 'shop/web:1.0', 'registry.example:5000/deep/er/web:stable')
  await makeImage(host, 'plain', { b: 1_000 })
  // The host now also has an image without a creation time, and one whose tag moved.
  await makeImage(host, 'moved', { c: 1_000 })
  await makeImage(host, 'moved', { c: 1_000 })
})

test('lists images newest first with names, sizes and users', async () => {
  const cid = await runContainer(host, { options: ['--name', 'shop'] })
  const { images, page } = await list()
  expect(page).toEqual({ next: null, total: images.length })
  const ages = images.map(({ created_at: at }) => at ?? '')
  expect(ages).toEqual(ages.toSorted().toReversed())
  expect(images.filter(({ tags }) => tags.length === 0)).toHaveLength(1)
  const web = images.find(({ tags }) => tags.includes('shop/web:1.0'))
  expect(web?.tags.toSorted()).toEqual(['registry.example:5000/deep/er/web:stable', 'shop/web:1.0'])
  expect(web?.size_bytes).toBeGreaterThan(500_000)
  expect(web?.used_by).toEqual([])
  const base = images.find(({ tags }) => tags.includes('rig/busybox:latest'))
  expect(base?.used_by).toEqual([{ id: cid, name: 'shop' }])
  const own = images.filter((one) => one.own)
  expect(own.map(({ tags }) => tags)).toEqual([['plain:latest']])
})

test('paginates and finds images by name or ID', async () => {
  const { images } = await list()
  const seen: string[] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const { images: some, page } = await list({ limit: '2', ...(cursor && { cursor }) })
    expect(page.total).toBe(images.length)
    seen.push(...some.map((one) => one.id))
    cursor = page.next
  }
  expect(seen).toEqual(images.map((one) => one.id))
  expect((await list({ q: 'DEEP/er' })).images.map(({ tags }) => tags.length)).toEqual([2])
  const one = images[1]?.id ?? ''
  expect((await list({ q: one.slice(7, 19) })).images.map((found) => found.id)).toEqual([one])
  expect(await list({ q: 'no such image' })).toEqual({ images: [], page: { next: null, total: 0 } })
  const forged = { token: viewer.token, params: { id }, query: { cursor: 'bm9uZQ' } }
  await slipway.refused(listImages, forged, 422)
})

test("refuses to remove an image in use with Docker's reason", async () => {
  expect(await conflictOf('rig/busybox:latest')).toMatch(
    /Docker did not remove rig\/busybox:latest: conflict: .*container \w+ is using its referenced image/,
  )
  expect(await named('rig/busybox:latest')).toBeDefined()
})

test('removes an image with several names by ID only with force', async () => {
  await host.exec('docker', 'tag', 'plain', 'plain:two')
  await host.exec('docker', 'tag', 'plain', 'other/plain:two')
  const image = (await named('plain:two'))?.id ?? ''
  expect(await conflictOf(image)).toMatch(/must be forced\) - image is referenced in multiple repositories\./)
  expect((await remove(image, { force: 'true' })).status).toBe(200)
  expect(await named('plain:two')).toBeUndefined()
})

test('accepts a name with slashes, port and tag, and writes an event', async () => {
  const deep = 'registry.example:5000/deep/er/web:stable'
  expect((await remove(deep)).status).toBe(200)
  expect((await named('shop/web:1.0'))?.tags).toEqual(['shop/web:1.0'])
  const emitted = await slipway.db
    .selectFrom('events')
    .select(['type', 'actor_name', 'detail'])
    .where('target_name', '=', deep)
    .execute()
  expect(emitted).toEqual([{ type: 'image.removed', actor_name: admin.name, detail: `on ${name}` }])
})

test('responds with 404 for missing images and invalid names', async () => {
  const nonsense = [
    'none',
    'shop/web:2',
    '..',
    '../containers/json',
    'a/../b',
    './x',
    'a//b',
    '/',
    'a b',
    'x?force=true',
    'x#y',
    '%2e%2e/x',
    'é',
    'x'.repeat(299),
  ]
  for (const wrong of nonsense) expect([wrong, (await remove(wrong)).status]).toEqual([wrong, 404])
  expect((await named('shop/web:1.0'))?.tags).toEqual(['shop/web:1.0'])
})
