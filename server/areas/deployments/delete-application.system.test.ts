import { expect, test, vi } from 'vitest'
import { deleteApplication, getApplication, listApplications } from '../../../contract/applications.ts'
import { listDeployments } from '../../../contract/deployments.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { deleteServer } from '../../../contract/servers.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { runContainer } from '../../../test/support/stages/containers.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer } from '../../../test/support/factories/factories.ts'
import { openSmallStage } from '../../../test/support/stages/shop-stage.ts'
import { smallShop } from '../../../test/support/factories/small-shop.ts'
import { newId } from '../../platform/ids.ts'
import { changeApplication } from '../applications/application.ts'
import { applicationVolumeName } from '../applications/instance.ts'
import { releaseRepository } from '../applications/release.ts'
import { deploymentsArea } from './area.ts'
import { removeApplication } from './cleanup/remove-application.ts'
import { longTest } from '../../../test/support/run/campaign.ts'

const { slipway, host, server, workspace, member, owner, deploy, request, untilAt } = await openSmallStage()
slipway.work()

const makeShop = (given: Parameters<typeof smallShop>[1] = {}) =>
  makeApplication(slipway.db, workspace, server, smallShop(slipway.ctx, given))

async function giveVolume(id: Id<'application'>, source: string): Promise<string> {
  const values = { workspace_id: workspace, application_id: id, position: 1, source, target: `/${source}` }
  await slipway.db
    .insertInto('volumes')
    .values({ id: newId('volume'), ...values })
    .execute()
  const { slug } = await slipway.db
    .selectFrom('applications')
    .select('slug')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  return applicationVolumeName({ id, slug }, source)
}

const asked = (id: Id<'application'>, query = {}) => ({ token: member.token, params: { id }, query })
const lines = async (...command: string[]) =>
  (await host.exec('docker', ...command)).trim().split('\n').filter(Boolean)
const containersOf = (id: string) =>
  lines('ps', '--all', '--quiet', '--filter', `label=slipway.application=${id}`)
const imagesOf = (id: Id<'application'>) => lines('images', '--quiet', releaseRepository(id))
const volumes = () => lines('volume', 'ls', '--quiet')
const untilGone = (id: Id<'application'>) =>
  vi.waitFor(
    async () => {
      const found = await slipway.db.selectFrom('applications').select('id').where('id', '=', id).execute()
      expect(found).toEqual([])
    },
    { interval: 50 },
  )
const outputs = () => slipway.db.selectFrom('outputs').select('source').execute()

test('deletes everything, but only the named volumes', async () => {
  const shop = await makeShop({ name: 'shop' })
  const [data, cache] = [await giveVolume(shop, 'data'), await giveVolume(shop, 'cache')]
  await deploy(shop)
  // A volume that is no longer mounted still belongs to the application.
  await slipway.db
    .deleteFrom('volumes')
    .where('application_id', '=', shop)
    .where('source', '=', 'data')
    .execute()
  expect([(await containersOf(shop)).length, (await imagesOf(shop)).length]).toEqual([1, 1])
  expect(await outputs()).not.toEqual([])

  const strange = await slipway.refused(deleteApplication, asked(shop, { volumes: `${data},other` }), 422)
  expect(strange.body).toMatchObject({
    errors: { volumes: ['Volume other does not belong to shop.'] },
  })
  const user = await runContainer(host, { options: ['--volume', `${data}:/there`, '--name', 'reader'] })
  const used = await slipway.refused(deleteApplication, asked(shop, { volumes: data }), 409, 'volume_in_use')
  expect(used.text).toMatch(`The volume ${data} is also used by the container reader`)
  await host.exec('docker', 'rm', '--force', user)
  expect(await containersOf(shop)).toHaveLength(1)

  await slipway.ok(deleteApplication, asked(shop, { volumes: data }))
  await slipway.refused(getApplication, asked(shop), 404)
  await slipway.refused(deleteApplication, asked(shop), 404)
  const { applications } = await slipway.ok(listApplications, { token: member.token, query: {} })
  expect(applications.map(({ id }) => id)).not.toContain(shop)
  const { deployments } = await slipway.ok(listDeployments, { token: member.token, query: {} })
  expect(deployments).toEqual([])
  await untilGone(shop)
  expect([await containersOf(shop), await imagesOf(shop), await outputs()]).toEqual([[], [], []])
  expect(await volumes()).toContain(cache)
  expect(await volumes()).not.toContain(data)
  expect(await lines('images', '--quiet', 'rig/busybox')).toHaveLength(1)
  const emitted = await slipway.db
    .selectFrom('events')
    .select(['actor_name', 'detail'])
    .where('type', '=', 'application.deleted')
    .execute()
  expect(emitted).toEqual([{ actor_name: member.name, detail: `with the volume ${data}` }])
})

test('reverts a running deployment before deleting', async () => {
  const shop = await makeShop()
  await deploy(shop)
  // Nothing listens on this port, so the deployment stays at its health check.
  await changeApplication(slipway.db, workspace, shop, { port: 8081 })
  const { id } = await request(shop)
  await untilAt(id, 'wait')
  await request(shop)
  const gone = [0, 1].map(() => slipway.call(deleteApplication.key, asked(shop)))
  expect(statuses(await Promise.all(gone))).toEqual([200, 404])
  await untilGone(shop)
  expect([await containersOf(shop), await imagesOf(shop)]).toEqual([[], []])
})

test('resumes an interrupted deletion', async () => {
  const shop = await makeShop()
  await deploy(shop)
  await changeApplication(slipway.db, workspace, shop, { deleting_at: new Date() })
  const lost = { id: newId('job'), attempt: 1, fence: 1, signal: new AbortController().signal }
  const cutOff = removeApplication(
    slipway.ctx,
    workspace,
    shop,
    { volumes: [], folder: false, leave: false },
    {
      ...lost,
      assertLease: () => Promise.reject(new Error('Another has it.')),
    },
  )
  await expect(cutOff).rejects.toThrow('Another has it.')
  const takeUp = deploymentsArea.jobs?.find(({ kind }) => kind === 'take-up-deletions')
  await takeUp?.handle(slipway.ctx, {}, { ...lost, assertLease: () => Promise.resolve() })
  await untilGone(shop)
  expect(await containersOf(shop)).toEqual([])
})

test('deletes an application of an unreachable server only when leaving it behind', async () => {
  const away = await makeServer(slipway.ctx, workspace, host, { port: 1, status: 'unreachable' })
  const shop = await makeApplication(slipway.db, workspace, away)
  await slipway.refused(deleteApplication, asked(shop), 502, 'server_unreachable')
  const volume = await giveVolume(shop, 'data')
  await slipway.refused(deleteApplication, asked(shop, { leave: 'true', volumes: volume }), 422)
  await slipway.ok(getApplication, asked(shop))
  await slipway.ok(deleteApplication, asked(shop, { leave: 'true' }))
  await untilGone(shop)
})

test('drops pending deletions with the server', async () => {
  const away = await makeServer(slipway.ctx, workspace, host, { port: 1, status: 'unreachable' })
  const shop = await makeApplication(slipway.db, workspace, away, { deleting_at: new Date() })
  await slipway.ok(deleteServer, { token: owner.token, params: { id: away } })
  await untilGone(shop)
})

longTest('removes the networks of an application and of interrupted creations', async () => {
  const own = await makeServer(slipway.ctx, workspace, host)
  const networks = () => lines('network', 'ls', '--format', '{{.Name}}', '--filter', 'name=slipway-')
  const [one, other] = [
    await makeApplication(slipway.db, workspace, own, smallShop(slipway.ctx)),
    await makeApplication(slipway.db, workspace, own, smallShop(slipway.ctx)),
  ]
  await deploy(one)
  await deploy(other)
  expect(await networks()).toEqual(expect.arrayContaining([`slipway-${one}`, `slipway-${other}`]))
  // Networks that an interrupted deployment and an older version of Slipway left behind.
  await host.exec('docker', 'network', 'create', `slipway-${own}-look`)
  await host.exec('docker', 'network', 'create', `slipway-${own}`)
  await slipway.ok(deleteApplication, asked(one))
  await untilGone(one)
  const left = await networks()
  expect(left).toContain(`slipway-${other}`)
  for (const name of [`slipway-${one}`, `slipway-${own}`, `slipway-${own}-look`])
    expect(left).not.toContain(name)
  await slipway.ok(deleteApplication, asked(other))
  await untilGone(other)
  expect(await networks()).not.toContain(`slipway-${other}`)
})
