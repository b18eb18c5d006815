import { expect, test, vi } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import { listDeployments } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { openSmallStage } from '../../../test/support/stages/shop-stage.ts'
import { smallShop } from '../../../test/support/factories/small-shop.ts'
import { changeApplication } from '../applications/application.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const { slipway, host, server, workspace, member, deploy, look, instancesOf } = await openSmallStage()
slipway.work()

/** Responds until /tmp/end exists, then runs that script. */
const mortal = (end: string) => [
  'sh',
  '-c',
  `httpd -p 8080; while [ ! -e /tmp/end ]; do sleep 0.1; done; rm /tmp/end; ${end}`,
]

const makeShop = (end: string, given: Parameters<typeof smallShop>[1] = {}) =>
  makeApplication(slipway.db, workspace, server, smallShop(slipway.ctx, { command: mortal(end), ...given }))

const kill = async (shop: Id<'application'>) => {
  const [{ container_id: box } = { container_id: null }] = await instancesOf(shop)
  await host.exec('docker', 'exec', box ?? '', 'touch', '/tmp/end')
}
const soon = <T>(check: () => Promise<T>) => vi.waitFor(check, { interval: 100 })
const deployments = async (id: Id<'application'>) =>
  (await slipway.ok(listDeployments, { token: member.token, query: { application_id: id } })).deployments
const events = (id: Id<'application'>) =>
  slipway.db
    .selectFrom('events')
    .select(['actor_name', 'detail'])
    .where('target_id', '=', id)
    .where('type', '=', 'application.crashed')
    .execute()

test.each(['always', 'no'] as const)(
  'reports a crash after a deployment once, with the last log lines (restart: %s)',
  async (restart) => {
    const shop = await makeShop('echo out of luck; exit 3', { restart })
    const { id } = await deploy(shop)
    expect(await events(shop)).toEqual([])
    await kill(shop)
    await soon(async () =>
      expect((await look(id)).errors).toEqual([
        expect.stringMatching(
          /^The container crashed shortly after going live\. Container \S+ exited with code 3\.$/,
        ),
        'out of luck',
      ]),
    )
    const emitted = await events(shop)
    expect(emitted).toEqual([{ actor_name: 'Slipway', detail: expect.stringMatching('exited with code 3') }])
    const { application } = await slipway.ok(getApplication, { token: member.token, params: { id: shop } })
    expect(application).toMatchObject({
      state: restart === 'always' ? 'crashing' : 'failed',
      reason: expect.stringContaining('exited with code 3'),
    })
    expect(application.containers.restarts > 0).toBe(restart === 'always')
    expect(application.deployment).toMatchObject({ id, status: 'crashed', crashed: true })
    expect(await deployments(shop)).toHaveLength(1)
  },
)

test('reports a crash by the memory limit', async () => {
  const eat = 'x=$(head -c 1000000 /dev/zero | tr "\\0" x); while :; do x="$x$x"; done'
  const shop = await makeShop(eat, { memory_limit: 16 * 2 ** 20 })
  const { id } = await deploy(shop)
  await kill(shop)
  await soon(async () =>
    expect((await look(id)).errors[0]).toMatch(/Container \S+ ran out of memory \(limit 16 MiB\)\.$/),
  )
})

longTest('does not report a manual stop as a crash', async () => {
  const shop = await makeShop('exit 0')
  const other = await makeShop('exit 5')
  await deploy(shop)
  await deploy(other)
  const [{ container_id: box } = { container_id: null }] = await instancesOf(shop)
  await host.exec('docker', 'stop', '--time', '1', box ?? '')
  // A check runs for the crash of the other application and must leave out the stopped one.
  await kill(other)
  await soon(async () => expect(await events(other)).toHaveLength(1))
  expect(await events(shop)).toEqual([])
})

test('rolls back automatically once if enabled, but never a rollback', async () => {
  const shop = await makeShop('exit 4', { auto_rollback: true })
  await deploy(shop)
  await changeApplication(slipway.db, workspace, shop, { stop_grace_seconds: 2 })
  await deploy(shop)
  await kill(shop)
  const back = await soon(async () => {
    const [last] = await deployments(shop)
    expect(last).toMatchObject({ type: 'rollback_application', status: 'completed' })
    return last
  })
  expect(back).toMatchObject({ actor: { name: 'Slipway' }, release: { number: 1 } })
  await kill(shop)
  await soon(async () => expect(await events(shop)).toHaveLength(2))
  const { rows } = await slipway.ctx.pool.query(`select 1 from jobs where kind = 'roll-back-crashed'`)
  expect(rows).toHaveLength(1)
  expect(await deployments(shop)).toHaveLength(3)
  // A deployment would repeat the crashed release, unless the configuration changes first.
  const crashed = async () =>
    (await slipway.ok(getApplication, { token: member.token, params: { id: shop } })).application
      .crashed_release
  expect(await crashed()).toMatchObject({ number: 2 })
  await changeApplication(slipway.db, workspace, shop, { stop_grace_seconds: 3 })
  expect(await crashed()).toBeNull()
})
