import { expect, test } from 'vitest'
import { setCommand } from '../../../test/support/factories/application-factories.ts'
import { loadBusybox } from '../../../test/support/stages/containers.ts'
import { startRegistry } from '../../../test/support/programs/registry.ts'
import { listSavedLogs } from '../../../contract/saved-logs.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'
import { newId } from '../../platform/ids.ts'
import { changeApplication } from '../applications/application.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const stage = await openShopStage('1')
const { slipway, host, server, workspace } = stage
const { deploy, request, ended, instancesOf, makeShop, setEnv, containersOf, visit } = stage
await loadBusybox(host)
slipway.work()

const shop = await makeShop('shop.test')
await deploy(shop)
const [serving] = await instancesOf(shop)
/** Long enough for the application to start on a busy machine. */
const within = 15
const healthBy = (type: 'http' | 'tcp') => JSON.stringify({ type, path: '/healthz', within_seconds: within })
/** Applications whose health check fails at its time limit. They deploy during the other tests. */
const deaf = await makeShop(undefined, { port: 3001, health: healthBy('tcp') })
const elsewhere = await makeShop(undefined, { port: 3000, health: healthBy('tcp') })
await setEnv(elsewhere, { PORT: '8080' })
const ill = await makeShop(undefined, { health: healthBy('http') })
await setEnv(ill, { UNHEALTHY: '1' })
const [waited, misplaced, refused] = [await request(deaf), await request(elsewhere), await request(ill)]

/** Checks that a first release that failed left nothing behind. */
async function expectNothingOf(id: typeof shop) {
  expect(await instancesOf(id)).toEqual([])
  expect(await containersOf(id)).toEqual([])
}

/** Checks that the previous release still receives traffic, and that the failed one left nothing behind. */
async function expectUntouched() {
  expect(await visit('shop.test')).toContain('1 ')
  expect(await instancesOf(shop)).toEqual([serving])
  expect(await containersOf(shop)).toHaveLength(1)
  const releases = await slipway.db
    .selectFrom('releases')
    .selectAll()
    .where('application_id', '=', shop)
    .execute()
  expect(releases.map(({ number }) => number)).toEqual([1])
  const images = await host.exec('docker', 'images', '--format', '{{.Repository}}:{{.Tag}}')
  expect(images.match(new RegExp(`slipway.local/${shop.replace('_', '-')}:\\d`, 'g'))).toHaveLength(1)
}

test('reports the exit code and last log lines', async () => {
  await setEnv(shop, { EXIT_AFTER_MS: '1', EXIT_CODE: '3', HEALTHY_AFTER_MS: '60000' })
  const failed = await deploy(shop)
  expect(failed).toMatchObject({ status: 'failed', release: null, cancellable: false })
  expect(failed.errors[0]).toMatch(/^Container shop-\S+-2-1-\w{4} exited with code 3\.$/)
  expect(failed.errors).toContain('This is the end.')
  expect(failed.data.logs).toContain('This is the end.')
  const { logs } = await slipway.ok(listSavedLogs, {
    token: stage.member.token,
    params: { id: shop },
    query: { release: '2' },
  })
  expect(logs).toEqual([expect.objectContaining({ release: 2, exit_code: 3 })])
  expect(failed.steps.map(({ name, status }) => `${name} ${status}`)).toEqual([
    'check completed',
    'fetch completed',
    'start completed',
    'wait failed',
    'switch skipped',
    'drain skipped',
    'prune skipped',
  ])
  await expectUntouched()
  const event = await slipway.db
    .selectFrom('events')
    .selectAll()
    .where('type', '=', 'deployment.failed')
    .where('target_id', '=', shop)
    .executeTakeFirstOrThrow()
  expect(event).toMatchObject({ target_id: shop, actor_name: 'Slipway' })
  expect(event.detail).toContain('exited with code 3')
})

test('reports an exceeded memory limit', async () => {
  await setEnv(shop, { EAT_MEMORY_MB: '400', HEALTHY_AFTER_MS: '60000' })
  await changeApplication(slipway.db, workspace, shop, { memory_limit: 64 * 1024 * 1024 })
  const { errors } = await deploy(shop)
  expect(errors[0]).toMatch(/ran out of memory \(limit 64 MiB\)\.$/)
  await changeApplication(slipway.db, workspace, shop, { memory_limit: null })
  await expectUntouched()
})

longTest('reports a published port that nothing listens on', async () => {
  const port = { workspace_id: workspace, application_id: shop, source: 15_432, target: 5432 }
  await slipway.db
    .insertInto('published_ports')
    .values({ id: newId('publishedPort'), ...port })
    .execute()
  await changeApplication(slipway.db, workspace, shop, { health: healthBy('tcp'), port: 3000 })
  await setEnv(shop, {})
  const { errors } = await deploy(shop)
  expect(errors[0]).toMatch(
    /failed after 15 s: connection refused on port 5432 \(used by the published port 15432\)\. The application listens on port 3000, not on 5432\.$/,
  )
  await slipway.db.deleteFrom('published_ports').where('application_id', '=', shop).execute()
  await expectUntouched()
})

test('explains start failures with the error of Docker, without environment values', async () => {
  await setEnv(shop, { SECRET: 'no-such-program' })
  await setCommand(slipway.ctx, workspace, shop, ['no-such-program'])
  const failed = await deploy(shop)
  expect(failed.errors).toEqual([
    expect.stringMatching(/^Container \S+ could not be started: the image has no executable “•••”\./),
    expect.stringMatching(/^Docker: .*•••.*not found/),
  ])
  expect(failed.data.logs).toContain(failed.errors[1])
  expect(JSON.stringify(failed)).not.toContain('no-such-program')
  await setCommand(slipway.ctx, workspace, shop, null)
  await changeApplication(slipway.db, workspace, shop, { cpu_limit: 512 })
  const { errors } = await deploy(shop)
  expect(errors[0]).toMatch(/: the CPU limit is 512, but \S+ has [\d.]+ cores\. Lower the limit/)
  expect(errors[1]).toMatch(/^Docker: /)
  await changeApplication(slipway.db, workspace, shop, { cpu_limit: null })
  await setEnv(shop, {})
  await expectUntouched()
})

test('refuses an image without a port that has a domain', async () => {
  await changeApplication(slipway.db, workspace, shop, { port: null })
  for (const [image, exposed, words] of [
    ['rig/none', '', /the domain shop\.test uses .* and the image exposes no port\. Set the port/],
    ['rig/two', '80 443', /and the image exposes several ports \(80, 443, 3000\)\. Set the port/],
  ] as const) {
    const base = exposed ? 'rig/app:1' : 'rig/busybox'
    const box = (await host.exec('docker', 'create', base)).trim()
    await host.exec('docker', 'commit', ...(exposed ? ['--change', `EXPOSE ${exposed}`] : []), box, image)
    await host.exec('docker', 'rm', box)
    await changeApplication(slipway.db, workspace, shop, { image })
    const { errors, steps } = await deploy(shop)
    expect(errors[0]).toMatch(words)
    expect(steps.find(({ status }) => status === 'failed')?.name).toBe('start')
  }
  await expectUntouched()
})

test('explains missing and private images', async () => {
  const [open, locked] = [await startRegistry(host), await startRegistry(host, { asksForLogIn: true })]
  for (const [image, words] of [
    [`${open.address}/shop/none:1`, /^The registry \S+ has no image \S+\/shop\/none:1\./],
    [`${locked.address}/shop/web:1`, /requires credentials/],
  ] as const) {
    await changeApplication(slipway.db, workspace, shop, { image })
    const { errors, steps } = await deploy(shop)
    expect(errors[0]).toMatch(words)
    expect(steps.find(({ status }) => status === 'failed')?.name).toBe('fetch')
  }
  await expectUntouched()
})

test('logs the progress of the health check', async () => {
  const { data, status } = await ended(waited.id)
  expect(status).toBe('failed')
  expect(data.logs).toContainEqual(
    expect.stringMatching(/^Waiting for health check… connection refused on port 3001 \(1\d\/15 s\)$/),
  )
})

test('reports the port that the application listens on instead', async () => {
  const { errors } = await ended(misplaced.id)
  expect(errors[0]).toMatch(
    /failed after 15 s: connection refused on port 3000\. The application listens on port 8080, not on 3000\.$/,
  )
  await expectNothingOf(elsewhere)
})

test('reports the last response of a failing health check', async () => {
  const { errors } = await ended(refused.id)
  expect(errors[0]).toMatch(/failed after 15 s: GET \/healthz on port 3000 returned 503\.$/)
  await expectNothingOf(ill)
})

test('never reuses the number of a failed release', async () => {
  await changeApplication(slipway.db, workspace, deaf, { port: 3000 })
  const done = await deploy(deaf)
  expect(done).toMatchObject({ status: 'completed', release: { number: 2 } })
  expect(done.data.logs.join('\n')).toMatch(/^Release 2 created: /m)
})

test('refuses an image for another architecture before starting it', async () => {
  await slipway.db.updateTable('servers').set({ architecture: 's390x' }).where('id', '=', server).execute()
  await changeApplication(slipway.db, workspace, shop, { image: 'rig/app:1' })
  const { errors } = await deploy(shop)
  expect(errors[0]).toMatch(/^rig\/app:1 is built for a\w+64, but \S+ is s390x\. Choose/)
  await expectUntouched()
})
