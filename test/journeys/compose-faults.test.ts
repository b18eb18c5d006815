import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { cancelDeployment, stepNames } from '../../contract/deployments.ts'
import { schedules } from '../../server/areas/deployments/jobs.ts'
import { times } from '../campaign.ts'
import { openComposeShop } from '../compose-shop.ts'
import { openFaultStage } from '../fault-stage.ts'
import { startLoadInside } from '../load-inside.ts'

vi.setConfig({ testTimeout: times(300_000, 600_000), hookTimeout: 300_000 })

const stage = await openFaultStage()
const { host, slipway, token, request, ended, look, during } = stage
const shop = await openComposeShop(stage)
/** What serves. `side` is left alone, and has visitors who notice nothing. */
let serving = { data: 'first', side: 'first', web: 'first' }
let stays = ''

beforeAll(async () => {
  slipway.work(schedules)
  await shop.setVersions(serving)
  await ended((await request(shop.id)).id, 120_000)
  stays = (await shop.untilServed(serving)).side
})

type Step = (typeof stepNames)[number]
const steps = (...short: Step[]) => (times(1, stepNames.length) === 1 ? short : [...stepNames])

/** One service is rolled, and one is stopped and made anew. */
const changed = (next: string) => ({ ...serving, data: next, web: next })

/** Visitors of those that have no gap, which nobody notices anything of. */
async function visited<T>(work: () => Promise<T>): Promise<T> {
  const loads = [
    await startLoadInside(host, shop.addressOf('web')),
    await startLoadInside(host, shop.addressOf('side')),
  ]
  const done = await work()
  for (const load of loads) expect((await load.stop()).failures).toEqual([])
  return done
}

test.each(steps('start', 'switch'))(
  'a cable that is cut in the step %s delays it, and only what is stopped first has a gap',
  async (step) => {
    const next = changed(`cut in ${step}`)
    await shop.setVersions(next)
    onTestFinished(() => host.plug())
    await visited(async () => {
      const { id } = await during(shop.id, step, async () => {
        await sleep(Math.random() * 1_000)
        await host.cut()
      })
      await vi.waitFor(
        async () => {
          const { status, data } = await look(id)
          expect([...data.logs, status].join('\n')).toMatch(/Waiting for it\.|completed$/)
        },
        { timeout: 60_000, interval: 100 },
      )
      await host.plug()
      expect(await ended(id, 120_000)).toMatchObject({ status: 'completed', errors: [] })
      serving = next
      expect((await shop.untilServed(serving)).side).toBe(stays)
    })
  },
)

test('when the last of three fails, those before it go back, also the one that was stopped', async () => {
  const before = await shop.untilServed(serving)
  await shop.setVersions({ data: 'bad', side: 'bad', web: 'bad' }, { WEB_ENDS_AFTER: '1' })
  await visited(async () => {
    const failed = await ended((await request(shop.id)).id, 120_000)
    expect(failed.status).toBe('failed')
    expect(failed.errors[0]).toMatch(/^The container \S+-web-\S+ ended with code 1\.$/)
    expect(failed.data.logs.join('\n')).toMatch(/data is stopped before.+What was stopped to make room/s)
    expect(await shop.untilServed(serving)).toEqual(before)
  })
})

test.each(steps('start'))('one that is cancelled in the step %s has the old one run again', async (step) => {
  const before = await shop.untilServed(serving)
  const next = changed(`cancelled in ${step}`)
  await shop.setVersions(next)
  await visited(async () => {
    const { id } = await during(shop.id, step, async () => {
      await sleep(Math.random() * 1_500)
      await slipway.call(cancelDeployment.key, { token, params: { id: (await latest()).id } })
    })
    const { status } = await ended(id, 120_000)
    if (status === 'completed') serving = next
    const after = await shop.untilServed(serving)
    expect(status === 'completed' ? after.side : after).toEqual(status === 'completed' ? before.side : before)
  })
})

const latest = () =>
  slipway.db
    .selectFrom('deployments')
    .select('id')
    .where('application_id', '=', shop.id)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow()

test('a disk without room is told before anything is stopped', async () => {
  const before = await shop.untilServed(serving)
  await host.fillDisk()
  onTestFinished(() => host.freeDisk())
  await shop.setVersions(changed('full'))
  const { errors } = await ended((await request(shop.id)).id, 120_000)
  expect(errors[0]).toMatch(/^The disk of \S+ is nearly full: .+ a deployment needs 100 MiB\./)
  // Docker runs no health check without room for its files, and says unhealthy of what serves all the same.
  await host.freeDisk()
  expect(await shop.untilServed(serving)).toEqual(before)
})

test.each(steps('wait'))('a disk that fills up in the step %s harms nobody', async (step) => {
  const next = changed(`full in ${step}`)
  await shop.setVersions(next)
  onTestFinished(() => host.freeDisk())
  const { id } = await during(shop.id, step, () => host.fillDisk())
  const { status } = await ended(id, 240_000)
  await host.freeDisk()
  if (status === 'completed') serving = next
  await shop.untilServed(serving)
})
