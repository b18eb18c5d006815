import { afterAll, expect, test, vi } from 'vitest'
import { startSlipway } from '../../../../test/context.ts'
import { proxyImage } from '../../../../test/rig/images.ts'
import { takeBareServer } from '../../../../test/rig/take.ts'
import { makeSetting, start, untilOver } from '../../../../test/setups.ts'
import { newKeyPair } from '../../../remote/keys.ts'

vi.setConfig({ testTimeout: 900_000 })
const server = await takeBareServer()
const keys = newKeyPair('slipway-test')
await server.authorize(keys.publicKey)
const image = await proxyImage()
const slipway = await startSlipway({ PROXY_IMAGE: image.name })
afterAll(() => slipway.close())
slipway.work()
const setting = await makeSetting(slipway, { ...server, keys })

/** In this order, as a person would come to them. */
test('a bare Debian without a network is told so in plain words', async () => {
  await server.outside(false)
  await start(setting)
  const { setup } = await untilOver(setting, 300_000)
  expect(setup).toMatchObject({
    status: 'failed',
    step: 'docker',
    error:
      'Docker could not be installed: the server does not reach its package mirrors. Check its network and its DNS, then set up again.',
  })
})

test('with a network it gets Docker, compose and git from its packages', async () => {
  await server.outside(true)
  await start(setting)
  const { setup, log } = await untilOver(setting, 800_000)
  expect(log).toMatch(/^Installing it from packages$/m)
  expect(await server.exec('docker', 'version', '--format', '{{.Server.Version}}')).toMatch(/^\d+\./)
  expect(await server.exec('git', '--version')).toMatch(/^git version/)
  expect(await server.exec('docker-compose', 'version', '--short')).toMatch(/^\d+\./)
  // No registry is within reach of these machines.
  expect(setup).toMatchObject({
    status: 'failed',
    step: 'proxy',
    error: expect.stringMatching(
      /^The proxy's image, rig\/proxy:latest, could not be pulled\. Docker says: /,
    ),
  })
})

test('once the image is there it becomes ready, and nothing is installed twice', async () => {
  await server.loadImage(image)
  await start(setting)
  const { setup, log, server: row } = await untilOver(setting)
  expect(setup).toMatchObject({ status: 'completed', error: null })
  expect(row).toMatchObject({
    status: 'ready',
    reason: null,
    docker_version: expect.stringMatching(/^\d+\./),
  })
  expect(log).not.toMatch(/Installing|Reading package lists/)
  expect((await fetch(`http://${server.address}/`)).status).toBe(404)
})
