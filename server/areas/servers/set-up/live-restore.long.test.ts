import { afterAll, expect, test } from 'vitest'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { busyboxImage } from '../../../../test/support/rig/images.ts'
import { makeSetting, start, takeProvidedHost, untilOver } from '../../../../test/support/stages/setups.ts'

const host = await takeProvidedHost()
await host.loadImage(await busyboxImage())
const slipway = await startSlipway({ PROXY_IMAGE: host.image.name })
afterAll(() => slipway.close())
slipway.work()
const setting = await makeSetting(slipway, host)
const FILE = '/etc/docker/daemon.json'

async function setUp() {
  await start(setting)
  const over = await untilOver(setting)
  expect(over.setup).toMatchObject({ status: 'completed', error: null })
  return over
}
const settings = async (): Promise<unknown> => JSON.parse(await host.exec('cat', FILE))
const processOf = (name: string) => host.exec('docker', 'inspect', '--format', '{{.State.Pid}}', name)
/** Starts Docker without the setting. */
async function restart(before: string) {
  await host.stopDockerd()
  await host.exec('sh', '-c', 'printf %s "$1" > "$2"', 'sh', before, FILE)
  await host.startDockerd()
}

test('keeps containers running across a Docker restart and preserves the configuration', async () => {
  const before = await settings()
  await host.exec('chmod', '600', FILE)
  await host.exec('docker', 'run', '--detach', '--name', 'shop', '--restart', 'always', 'rig/busybox')
  const running = await processOf('shop')
  const { log } = await setUp()
  expect(log).toContain(`Enabled Docker live-restore in ${FILE}\n`)
  expect(before).not.toHaveProperty('live-restore')
  expect(await settings()).toEqual({ ...Object(before), 'live-restore': true })
  expect(await host.exec('stat', '-c', '%a', FILE)).toBe('600\n')
  await host.killDockerd()
  await host.untilDockerAnswers()
  expect(await processOf('shop')).toBe(running)
  expect((await setUp()).log).not.toContain('Enabled Docker')
  // Remove the container, because Docker would wait below until it stops.
  await host.exec('docker', 'rm', '--force', 'shop')
})

test.each([
  [
    'switches it off',
    '{ "live-restore": false }',
    `live-restore is turned off in ${FILE}, which was not changed`,
  ],
  ['is of a swarm', '{}', 'this server is part of a swarm'],
])('leaves a Docker that %s unchanged and reports it', async (_, before, sentence) => {
  await restart(before)
  if (before === '{}') await host.exec('docker', 'swarm', 'init', '--advertise-addr', host.address)
  expect((await setUp()).log).toContain(sentence)
  expect(await host.exec('cat', FILE)).toBe(before)
})
