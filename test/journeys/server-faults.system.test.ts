import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { deleteApplication } from '../../contract/applications.ts'
import { schedules } from '../../server/areas/deployments/area.ts'
import { longTest, times } from '../support/run/campaign.ts'
import { unique } from '../support/factories/factories.ts'
import { openFaultStage } from '../support/stages/fault-stage.ts'
import { startLoadInside } from '../support/clients/load-inside.ts'
import { untilHit } from '../support/stages/until-hit.ts'
import { unbuiltSteps, type Step } from '../support/stages/watch-steps.ts'

vi.setConfig({ testTimeout: times(300_000, 600_000), hookTimeout: 300_000 })

const stage = await openFaultStage()
const { host, slipway, token, deploy, request, ended, look, makeShop, setEnv, during, isIn, untilSettled } =
  stage
const address = 'shop.test'
const shop = await makeShop(address)
/** The live version. */
let old = 'first'
beforeAll(async () => {
  slipway.work(schedules)
  await setEnv(shop, { VERSION: old })
  await deploy(shop)
})

/** The long form covers all of them. */
const steps = (...short: Step[]) => (times(1, unbuiltSteps.length) === 1 ? short : [...unbuiltSteps])

async function change(next: string): Promise<void> {
  // Long enough to be hit by the fault.
  await setEnv(shop, { VERSION: next, HEALTHY_AFTER_MS: '1500' })
}

async function settle(id: string, next: string) {
  const over = await untilSettled(shop, address, id, { old, next })
  if (over.status === 'completed') old = next
  return over
}

/** Deploys until the fault has hit that step; the result is successful. */
const strikeIn = (step: Step, fault: () => Promise<unknown>, mend: (id: string) => Promise<unknown>) =>
  untilHit(0, async () => {
    const next = unique(`struck-in-${step}`)
    await change(next)
    let isHit = false
    const { id } = await during(shop, step, async (deployment) => {
      await fault()
      isHit = await isIn(deployment.id, step)
    })
    await mend(id)
    expect(await settle(id, next)).toMatchObject({ status: 'completed', errors: [] })
    return isHit
  })

test.each(steps('start'))('only delays the deployment when the network fails in step %s', async (step) => {
  const load = await startLoadInside(host, address)
  onTestFinished(() => host.plug())
  await strikeIn(
    step,
    () => host.cut(),
    async (id) => {
      await vi.waitFor(
        async () => {
          const { status, data } = await look(id)
          // The step may have been over before the fault.
          expect([...data.logs, status].join('\n')).toMatch(/Retrying…|completed$/)
        },
        { interval: 100 },
      )
      await host.plug()
    },
  )
  const { count, failures } = await load.stop()
  expect(failures).toEqual([])
  expect(count).toBeGreaterThan(0)
})

longTest.each(steps('wait'))('recovers from a power failure in step %s', (step) =>
  strikeIn(
    step,
    // The network fails first; the rest takes longer than some steps.
    () => host.cut(),
    async () => {
      await host.powerOff()
      await host.powerOn()
    },
  ),
)

test.each(steps('start'))('recovers when Docker is killed in step %s', (step) =>
  strikeIn(
    step,
    () => host.killDockerd(),
    () => host.untilDockerAnswers(),
  ),
)

longTest.each(steps('switch'))('recovers when the proxy is killed in step %s', async (step) => {
  const next = `proxy in ${step}`
  await change(next)
  // Some steps end before the proxy has exited, and the next step finds it missing.
  const { id } = await during(shop, step, () => host.exec('docker', 'kill', 'slipway-proxy'))
  expect(await settle(id, next)).toMatchObject({ status: 'completed', errors: [] })
})

test('reports a full disk before anything starts', async () => {
  await host.fillDisk()
  onTestFinished(() => host.freeDisk())
  const { id } = await request(shop)
  const { errors } = await settle(id, 'full')
  expect(errors[0]).toMatch(/^Not enough disk space on \S+: .+ free, a deployment needs 100 MiB\./)
})

test.each(steps('wait'))('harms no visitor when the disk fills up in step %s', async (step) => {
  const next = `full in ${step}`
  await change(next)
  const load = await startLoadInside(host, address)
  onTestFinished(() => host.freeDisk())
  const { id } = await during(shop, step, () => host.fillDisk())
  await ended(id, 240_000)
  await host.freeDisk()
  const { status, errors } = await settle(id, next)
  expect([status, ...errors].join(' ')).toMatch(/^completed$|^failed The disk of \S+ is (nearly )?full/)
  expect((await load.stop()).failures).toEqual([])
})

longTest('runs two concurrent deployments one after the other', async () => {
  await change('twice')
  const load = await startLoadInside(host, address)
  const both = await Promise.all([request(shop), request(shop)])
  const over = await Promise.all(both.map(({ id }) => ended(id)))
  const last = over.toSorted((a, b) => (a.id < b.id ? -1 : 1)).at(-1)
  expect(last).toMatchObject({ status: 'completed', errors: [] })
  await settle(last?.id ?? '', 'twice')
  expect((await load.stop()).failures).toEqual([])
})

longTest.each(steps('switch'))('deletes an application completely in step %s', async (step) => {
  const other = await makeShop('other.test')
  await deploy(other)
  await setEnv(other, { VERSION: 'never', HEALTHY_AFTER_MS: '500' })
  const load = await startLoadInside(host, address)
  await during(other, step, async () => {
    await sleep(Math.random() * 50)
    await slipway.ok(deleteApplication, { token, params: { id: other }, query: {} })
  })
  await vi.waitFor(
    async () => {
      expect(
        await slipway.db.selectFrom('instances').select('id').where('application_id', '=', other).execute(),
      ).toEqual([])
      expect(
        await slipway.db.selectFrom('applications').select('id').where('id', '=', other).execute(),
      ).toEqual([])
    },
    { interval: 100 },
  )
  expect(await stage.containersOf(other)).toEqual([])
  const images = await host.exec('docker', 'images', '--format', '{{.Repository}}')
  expect(images).not.toContain(other.replace('_', '-'))
  expect((await load.stop()).failures).toEqual([])
})
