import { afterAll, expect, test, vi } from 'vitest'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { takeBareServer } from '../../../../test/support/rig/take.ts'
import { makeSomeone } from '../../../../test/support/factories/factories.ts'
import { appImage, proxyImage } from '../../../../test/support/rig/images.ts'
import { startDeployer, startShops } from '../../../../test/support/stages/deployments.ts'
import { makeSetting, start, untilOver } from '../../../../test/support/stages/setups.ts'
import { newKeyPair } from '../../../remote/ssh/key-pair.ts'

vi.setConfig({ testTimeout: 900_000 })
const server = await takeBareServer()
const keys = newKeyPair('slipway-test')
await server.authorize(keys.publicKey)
const image = await proxyImage()
const slipway = await startSlipway({ PROXY_IMAGE: image.name })
afterAll(() => slipway.close())
slipway.work()
const setting = await makeSetting(slipway, { ...server, keys })

/** The tests depend on this order. */
test('explains a missing network on a bare Debian', async () => {
  await server.outside(false)
  await start(setting)
  const { setup } = await untilOver(setting, 300_000)
  expect(setup).toMatchObject({
    status: 'failed',
    step: 'docker',
    error:
      'Docker could not be installed: the server cannot reach its package mirrors. Check its network and DNS, then set up again.',
  })
})

test('installs Docker and git from packages, and Compose only if it is version 2', async () => {
  await server.outside(true)
  await start(setting)
  const { setup, log } = await untilOver(setting, 800_000)
  expect(log).toMatch(/^Installing Docker$/m)
  expect(await server.exec('docker', 'version', '--format', '{{.Server.Version}}')).toMatch(/^\d+\./)
  expect(await server.exec('git', '--version')).toMatch(/^git version/)
  // The distribution has Compose version 1, and Docker's repository is unreachable here.
  expect(await server.exec('sh', '-c', 'command -v docker-compose || true')).toBe('')
  expect(await server.exec('sh', '-c', 'ls /etc/apt/*/slipway-* 2> /dev/null || true')).toBe('')
  expect(setup.warnings).toContainEqual({
    step: 'compose',
    text: 'Compose applications need Docker Compose 2.20 or newer, which is not installed. Other applications work.',
  })
  // No registry is reachable here.
  expect(setup).toMatchObject({
    status: 'failed',
    step: 'proxy',
    error: expect.stringMatching(/^The proxy image rig\/proxy:latest could not be pulled: /),
  })
})

test('becomes ready when the image is available, and installs nothing twice', async () => {
  await server.loadImage(image)
  await start(setting)
  const { setup, log, server: row } = await untilOver(setting)
  expect(setup).toMatchObject({ status: 'completed', error: null })
  expect(row).toMatchObject({
    status: 'ready',
    reason: null,
    docker_version: expect.stringMatching(/^\d+\./),
    compose_version: null,
  })
  expect(log).not.toMatch(/Installing|^Setting up/m)
  expect((await fetch(`http://${server.address}/`)).status).toBe(404)
})

test('serves its first application', async () => {
  await server.loadImage(await appImage())
  const { token } = await makeSomeone(slipway.db, setting.workspace, 'member')
  const { deploy } = startDeployer(slipway, token)
  const { makeShop, visit } = startShops(slipway, { ...setting, host: server })
  const done = await deploy(await makeShop('shop.test', { image: 'rig/app:latest' }))
  expect(done).toMatchObject({ status: 'completed', errors: [] })
  expect(done.steps[0]).toMatchObject({ name: 'check', status: 'completed' })
  expect(await visit('shop.test', '/healthz')).toBe('ok\n')
})
