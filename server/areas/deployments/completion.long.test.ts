import { expect, test, vi } from 'vitest'
import { startDeploymentWorker } from '../../../test/support/stages/deployment-worker.ts'
import { openShopStage } from '../../../test/support/stages/shop-stage.ts'

vi.setConfig({ testTimeout: 240_000 })

// No worker runs here: the test runs the jobs itself.
const stage = await openShopStage('1')
const { slipway, host, workspace, request, look, makeShop, setFile, containersOf } = stage
const { work, workToTheEnd } = startDeploymentWorker(slipway, workspace)

test('does not count a stop of Docker as completion', async () => {
  const shop = await makeShop()
  const waits = 'process.on("SIGTERM", () => process.exit(0)); setInterval(() => {}, 1000)'
  const text = `services: { worker: { image: 'rig/app:1', entrypoint: [node, -e, '${waits}'] } }`
  await setFile(shop, text, ['worker'])
  const { id } = await request(shop)
  await expect(work(id, 1, { diesIn: 'wait' })).rejects.toThrow('lease_lost')
  await host.stopDockerd()
  await host.startDockerd()
  const state = async () => {
    const [name = ''] = await containersOf(shop)
    return (
      await host.exec('docker', 'inspect', '--format', '{{.State.Status}} {{.State.ExitCode}}', name)
    ).trim()
  }
  expect(await state()).toBe('exited 0')
  await workToTheEnd(id, 2)
  expect(await look(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await state()).toBe('running 0')
})
