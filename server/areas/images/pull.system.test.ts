import { afterAll, expect, test, vi } from 'vitest'
import { cancelPull, getPull, listImages, listPulls, pullImage } from '../../../contract/images.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeServer, makeTeam } from '../../../test/support/factories/factories.ts'
import { startPuller } from '../../../test/support/stages/pulls.ts'
import { publish, startRegistry } from '../../../test/support/programs/registry.ts'
import { startGate } from '../../../test/support/fakes/registry-gate.ts'
import { takeHost } from '../../../test/support/stages/take-host.ts'

const host = await takeHost()
const registry = await startRegistry(host)
const slipway = await startSlipway()
afterAll(() => slipway.close())
const { workspace, admin, viewer, owner } = await makeTeam(slipway.db)
const id = await makeServer(slipway.ctx, workspace, host)
slipway.work()
const image = await publish(host, registry, 'shop/web:1.0', { a: 3_000_000, b: 2_500_000 })

const { pull, look, ended, eventsOf } = startPuller(slipway, id, admin.token)
const cancel = (pullId: string) =>
  slipway.ok(cancelPull, { token: admin.token, params: { id, pull_id: pullId } })
const has = async (name: string) =>
  (await slipway.ok(listImages, { token: viewer.token, params: { id } })).images.some(({ tags }) =>
    tags.includes(name),
  )
/** Returns the image name with the gate as its registry. */
const through = (gate: { address: string }) => image.replace(registry.address, gate.address)

test('pulls an image layer by layer and writes events', async () => {
  const begun = await pull(image)
  expect(begun).toMatchObject({ image, status: 'queued', layers: [], actor: { name: admin.name } })
  const done = await ended(begun.id)
  expect(done).toMatchObject({ status: 'completed', error: null })
  expect(done.layers.map(({ status }) => status)).toEqual(['done', 'done', 'done'])
  expect(Math.max(...done.layers.map(({ total }) => total ?? 0))).toBeGreaterThan(2_900_000)
  expect(await has(image)).toBe(true)
  const { name } = await slipway.db.selectFrom('servers').select('name').executeTakeFirstOrThrow()
  expect(await eventsOf(image)).toEqual([
    { type: 'image.pull_started', actor_name: admin.name, detail: `on ${name}` },
    { type: 'image.pulled', actor_name: 'Slipway', detail: `on ${name}` },
  ])
})

test('pulls exactly the digest, or latest without a tag', async () => {
  const latest = await publish(host, registry, 'shop/plain', { c: 1_000 })
  expect((await ended((await pull(latest)).id)).image).toBe(`${latest}:latest`)
  const { images } = await slipway.ok(listImages, {
    token: viewer.token,
    params: { id },
    query: { q: latest },
  })
  expect(images.map(({ tags }) => tags)).toEqual([[`${latest}:latest`]])
  const digest = images[0]?.digests[0] ?? ''
  expect(digest).toMatch(/@sha256:/)
  await host.exec('docker', 'image', 'rm', '--force', `${latest}:latest`)
  expect(await ended((await pull(digest)).id)).toMatchObject({ image: digest, status: 'completed' })
  await host.exec('docker', 'image', 'inspect', digest)
})

test('shows progress per layer, and returns the same pull for the same image', async () => {
  const gate = await startGate(registry)
  gate.close()
  const slow = through(gate)
  await host.exec('docker', 'image', 'prune', '--all', '--force')
  const [first, second] = await Promise.all([pull(slow), pull(slow)])
  expect(second.id).toBe(first.id)
  const half = await vi.waitFor(
    async () => {
      const now = await look(first.id)
      expect(now.layers.filter(({ current }) => current > 0).length).toBeGreaterThan(1)
      return now
    },
    { timeout: 120_000 },
  )
  expect(half.status).toBe('running')
  const coming = half.layers.filter(({ status }) => status === 'downloading')
  expect(coming.filter(({ current, total }) => current < (total ?? 0)).length).toBeGreaterThan(0)
  expect((await pull(slow)).id).toBe(first.id)
  gate.open()
  expect(await ended(first.id)).toMatchObject({ status: 'completed' })
  const all = await slipway.ok(listPulls, { token: viewer.token, params: { id }, query: { limit: '1' } })
  expect(all.pulls.map(({ id: one }) => one)).toEqual([first.id])
  expect(all.page.total).toBeGreaterThan(1)
})

test('cancels immediately, on the server too, and can be started again', async () => {
  const gate = await startGate(registry)
  gate.close()
  const slow = through(gate)
  await host.exec('docker', 'image', 'prune', '--all', '--force')
  const begun = await pull(slow)
  await vi.waitFor(() => expect(gate.held()).toBeGreaterThan(0))
  expect((await cancel(begun.id)).pull).toMatchObject({ status: 'cancelled', error: null })
  gate.open()
  await vi.waitFor(() => expect(gate.waiting()).toBe(0))
  expect(await has(slow)).toBe(false)
  expect((await cancel(begun.id)).pull).toMatchObject({ status: 'cancelled' })
  expect((await eventsOf(slow)).map(({ type }) => type)).toEqual([
    'image.pull_started',
    'image.pull_cancelled',
  ])
  const again = await pull(slow)
  expect(again.id).not.toBe(begun.id)
  expect(await ended(again.id)).toMatchObject({ status: 'completed' })
})

test('refuses invalid names and isolates servers', async () => {
  for (const name of ['', ' ', 'UPPER', 'a b', '../x', 'x:', 'http://x/y', 'x@sha256:12', '-x']) {
    const sent = { token: owner.token, params: { id }, body: { image: name } }
    expect([name, (await slipway.call(pullImage.key, sent)).status]).toEqual([name, 422])
  }
  const other = await makeServer(slipway.ctx, workspace, host)
  const { pulls } = await slipway.ok(listPulls, { token: viewer.token, params: { id } })
  const params = { id: other, pull_id: pulls[0]?.id ?? '' }
  expect((await slipway.call(getPull.key, { token: viewer.token, params })).status).toBe(404)
  expect((await slipway.call(cancelPull.key, { token: admin.token, params })).status).toBe(404)
  expect((await slipway.ok(listPulls, { token: viewer.token, params: { id: other } })).pulls).toEqual([])
})
