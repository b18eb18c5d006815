import { expect, test, vi } from 'vitest'
import { getApplication } from '../../../contract/applications.ts'
import {
  restartApplication,
  rollBackApplication,
  startApplication,
  stopApplication,
} from '../../../contract/deployments.ts'
import { listReleases } from '../../../contract/releases.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { openSmallStage } from '../../../test/support/stages/shop-stage.ts'
import { smallShop } from '../../../test/support/factories/small-shop.ts'
import { changeApplication } from '../applications/application.ts'

const { slipway, host, server, workspace, member, deploy, ended, instancesOf } = await openSmallStage()
slipway.work()

const makeShop = () => makeApplication(slipway.db, workspace, server, smallShop(slipway.ctx))

const soon = <T>(look: () => Promise<T>) => vi.waitFor(look, { interval: 100 })
const application = async (id: Id<'application'>) =>
  (await slipway.ok(getApplication, { token: member.token, params: { id } })).application

/** Waits until Slipway reports exactly these manual changes. */
const untilDrift = (id: Id<'application'>, ...sentences: (string | RegExp)[]) =>
  soon(async () => {
    const { drift } = await application(id)
    expect(drift).toEqual(sentences.map((one) => expect.stringMatching(one)))
  })

test('reports manual changes of a container, and a restart reverts them', async () => {
  const shop = await makeShop()
  expect((await deploy(shop)).errors).toEqual([])
  await untilDrift(shop)
  const [{ container_id: box } = { container_id: null }] = await instancesOf(shop)
  const name = (await host.exec('docker', 'inspect', '--format', '{{slice .Name 1}}', box ?? '')).trim()

  await host.exec('docker', 'pause', name)
  await untilDrift(shop, `Container ${name} was paused manually.`)
  await host.exec('docker', 'unpause', name)
  await host.exec('docker', 'update', '--memory', '64m', '--memory-swap', '64m', '--restart', 'no', name)
  await untilDrift(
    shop,
    `The memory limit of container ${name} was changed manually from none to 64 MiB.`,
    `The restart policy of container ${name} was changed manually from always to no.`,
  )
  await host.exec('docker', 'update', '--restart', 'always', name)
  await host.exec('docker', 'rename', name, 'mine')
  await untilDrift(shop, `Container ${name} was manually renamed to mine.`, /memory limit/)
  await host.exec('docker', 'network', 'disconnect', `slipway-${shop}`, 'mine')
  await host.exec('docker', 'stop', 'mine')
  await untilDrift(shop, `Container ${name} was stopped manually.`, /renamed/)
  await host.exec('docker', 'rm', 'mine')
  await host.exec(
    'docker',
    'run',
    '--detach',
    '--name',
    'other',
    '--label',
    `slipway.application=${shop}`,
    'rig/busybox',
  )
  await untilDrift(
    shop,
    `Container ${name} was removed manually.`,
    'Container other is labeled as part of this application, but was not created by Slipway.',
  )
  await host.exec('docker', 'rm', '--force', 'other')

  const { deployment } = await slipway.ok(restartApplication, { token: member.token, params: { id: shop } })
  expect(await ended(deployment.id)).toMatchObject({ status: 'completed', release: { number: 1 } })
  await untilDrift(shop)
  await soon(async () => expect(await application(shop)).toMatchObject({ state: 'running', changed: false }))
})

test('reports a container that was disconnected from its network', async () => {
  const shop = await makeShop()
  await deploy(shop)
  const [{ container_id: box } = { container_id: null }] = await instancesOf(shop)
  await host.exec('docker', 'network', 'disconnect', `slipway-${shop}`, box ?? '')
  // Docker emits no container event for the disconnect, but for this update it does.
  await host.exec('docker', 'update', '--cpus', '0.5', box ?? '')
  await untilDrift(
    shop,
    /CPU limit .* from none to 0.5 cores/,
    /was manually disconnected from Slipway’s network/,
  )
})

test('stops and starts, and reports containers that were started manually', async () => {
  const shop = await makeShop()
  await deploy(shop)
  const stopped = await slipway.ok(stopApplication, { token: member.token, params: { id: shop } })
  expect(await ended(stopped.deployment.id)).toMatchObject({ status: 'completed', type: 'stop_application' })
  await soon(async () => expect((await application(shop)).state).toBe('stopped'))
  await untilDrift(shop)
  const [{ container_id: box } = { container_id: null }] = await instancesOf(shop)
  await host.exec('docker', 'start', box ?? '')
  await untilDrift(shop, /was started manually although the application is stopped\./)
  const started = await slipway.ok(startApplication, { token: member.token, params: { id: shop } })
  expect(await ended(started.deployment.id)).toMatchObject({ status: 'completed', release: { number: 1 } })
  await soon(async () => expect((await application(shop)).state).toBe('running'))
  await untilDrift(shop)
})

test('rolls back without a registry, and forward again', async () => {
  const shop = await makeShop()
  await deploy(shop)
  await changeApplication(slipway.db, workspace, shop, { replicas: 2 })
  expect(await deploy(shop)).toMatchObject({ release: { number: 2 } })
  for (const [number, replicas] of [
    [1, 1],
    [2, 2],
  ]) {
    const asked = { token: member.token, params: { id: shop } }
    const { deployment } = await slipway.ok(rollBackApplication, { ...asked, body: {} })
    expect(await ended(deployment.id)).toMatchObject({ status: 'completed', release: { number } })
    expect(await instancesOf(shop)).toHaveLength(replicas ?? 0)
    const { releases } = await slipway.ok(listReleases, { ...asked, query: {} })
    expect(releases.find(({ current }) => current)?.number).toBe(number)
  }
})
