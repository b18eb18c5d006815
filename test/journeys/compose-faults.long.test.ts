import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { cancelDeployment } from '../../contract/deployments.ts'
import { schedules } from '../../server/areas/deployments/area.ts'
import { lengths, openComposeShop, type Versions } from '../support/stages/compose-shop.ts'
import { unique } from '../support/factories/factories.ts'
import { openFaultStage } from '../support/stages/fault-stage.ts'
import { startLoadInside } from '../support/clients/load-inside.ts'
import { untilHit } from '../support/stages/until-hit.ts'
import { unbuiltSteps, type Step } from '../support/stages/watch-steps.ts'

vi.setConfig({ testTimeout: 600_000, hookTimeout: 300_000 })

const stage = await openFaultStage()
const { host, slipway, token, request, ended, look, during, isIn } = stage
const shop = await openComposeShop(stage)
/** The live application. `side` is unchanged, and its visitors notice nothing. */
let serving: Versions = { data: 'first', side: 'first', web: 'first' }
let stays = ''

beforeAll(async () => {
  slipway.work(schedules)
  await shop.setVersions(serving)
  await ended((await request(shop.id)).id, 120_000)
  stays = (await shop.untilServed(serving)).side
})

/** The new release is live by then. */
const isPast = (step: Step) => step === 'drain' || step === 'prune'

/** One service is rolled, and one is recreated. */
const changed = (next: string) => ({ ...serving, data: next, web: next })

/** Load on services without downtime. */
async function visited<T>(work: () => Promise<T>): Promise<T> {
  const loads = [
    await startLoadInside(host, shop.addressOf('web')),
    await startLoadInside(host, shop.addressOf('side')),
  ]
  const done = await work()
  for (const load of loads) expect((await load.stop()).failures).toEqual([])
  return done
}

/** Waits until the deployment reports the unreachable server or finishes. Returns its step. */
const untilCutOff = (id: string) =>
  vi.waitFor(
    async () => {
      const now = await look(id)
      expect([...now.data.logs, now.status].join('\n')).toMatch(/Retrying…|completed$/)
      return now.steps.find(({ status }) => status === 'running')?.name
    },
    { interval: 100 },
  )

test.each(unbuiltSteps)(
  'only delays the deployment when the network fails in step %s, with downtime of recreated services only',
  async (step) => {
    onTestFinished(() => host.plug())
    await visited(() =>
      untilHit(lengths[step], async (delay) => {
        const next = changed(unique(`cut-in-${step}`))
        await shop.setVersions(next)
        const { id } = await during(shop.id, step, async () => {
          await sleep(delay)
          await host.cut()
        })
        const cutIn = await untilCutOff(id)
        await host.plug()
        expect(await ended(id, 120_000)).toMatchObject({ status: 'completed', errors: [] })
        serving = next
        expect((await shop.untilServed(serving)).side).toBe(stays)
        return cutIn === step
      }),
    )
  },
)

test('reverts earlier services when the last of three fails', async () => {
  const before = await shop.untilServed(serving)
  await shop.setVersions({ data: 'bad', side: 'bad', web: 'bad' }, { WEB_ENDS_AFTER: '1' })
  await visited(async () => {
    const failed = await ended((await request(shop.id)).id, 120_000)
    expect(failed.status).toBe('failed')
    expect(failed.errors[0]).toMatch(/^Container \S+-web-\S+ exited with code 1\.$/)
    expect(failed.data.logs.join('\n')).toMatch(
      /Stopping the old container of data.+The previous containers are/s,
    )
    expect(await shop.untilServed(serving)).toEqual(before)
  })
})

/** Cancels in that step, and returns the response and the result. */
async function cancelIn(step: Step, next: Versions, delay: number) {
  await shop.setVersions(next)
  const cancellation = { status: 0, isHit: false }
  const { id } = await during(shop.id, step, async (deployment) => {
    await sleep(delay)
    cancellation.status = (
      await slipway.call(cancelDeployment.key, { token, params: { id: deployment.id } })
    ).status
    cancellation.isHit = await isIn(deployment.id, step)
  })
  const over = await ended(id, 120_000)
  if (over.status === 'completed') serving = next
  return { ...cancellation, over }
}

test.each(unbuiltSteps.filter((step) => !isPast(step)))(
  'restores the old release when it is canceled in step %s',
  async (step) => {
    await visited(() =>
      untilHit(lengths[step], async (delay) => {
        const before = await shop.untilServed(serving)
        const { status, over } = await cancelIn(step, changed(unique(`cancelled-in-${step}`)), delay)
        const after = await shop.untilServed(serving)
        expect(after.side).toBe(stays)
        // The new release may be live before the cancellation.
        expect([status, over.status]).toEqual(status === 409 ? [409, 'completed'] : [200, 'cancelled'])
        expect(after).toEqual(status === 409 ? after : before)
        return over.steps.find((one) => one.status === 'undone')?.name === step
      }),
    )
  },
)

test.each(unbuiltSteps.filter(isPast))('refuses to cancel once it is live in step %s', async (step) => {
  await visited(() =>
    untilHit(lengths[step], async (delay) => {
      const next = changed(unique(`too-late-in-${step}`))
      const { status, isHit, over } = await cancelIn(step, next, delay)
      expect(over).toMatchObject({ status: 'completed', errors: [] })
      expect((await shop.untilServed(next)).side).toBe(stays)
      expect([200, 409]).toContain(status)
      return isHit && status === 409
    }),
  )
})

test('reports a full disk before anything is stopped', async () => {
  const before = await shop.untilServed(serving)
  await host.fillDisk()
  onTestFinished(() => host.freeDisk())
  await shop.setVersions(changed('full'))
  const { errors } = await ended((await request(shop.id)).id, 120_000)
  expect(errors[0]).toMatch(/^Not enough disk space on \S+: .+ a deployment needs 100 MiB\./)
  // Docker runs no health check on a full disk and reports unhealthy for live containers.
  await host.freeDisk()
  expect(await shop.untilServed(serving)).toEqual(before)
})

test.each(unbuiltSteps)('harms no visitor when the disk fills up in step %s', async (step) => {
  const next = changed(`full in ${step}`)
  await shop.setVersions(next)
  onTestFinished(() => host.freeDisk())
  const { id } = await during(shop.id, step, () => host.fillDisk())
  const { status } = await ended(id, 240_000)
  await host.freeDisk()
  if (status === 'completed') serving = next
  await shop.untilServed(serving)
})
