import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { lengths, openComposeShop, type Versions } from '../support/stages/compose-shop.ts'
import { openFaultStage } from '../support/stages/fault-stage.ts'
import { startLoad } from '../support/clients/load.ts'
import { resuming } from '../support/stages/resuming.ts'
import { type SlipwayProcess, startOn } from '../support/programs/slipway-process.ts'
import { untilHit } from '../support/stages/until-hit.ts'
import { unbuiltSteps, type Moment } from '../support/stages/watch-steps.ts'

const stage = await openFaultStage()
const { host, slipway, request, ended, during, isIn } = stage
const shop = await openComposeShop(stage)

const killed: Moment[] = [...unbuiltSteps]
/** The last service exits, so the next worker reverts the deployment. */
const undone: Moment[] = ['check', 'fetch', 'start', 'wait', 'undo']

const start = () => startOn(slipway.database, slipway.key, 'all', { PROXY_IMAGE: host.image.name })

test(
  'continues or reverts after Slipway was killed during a compose deployment',
  { timeout: 7_200_000 },
  async () => {
    let running: SlipwayProcess = await start()
    let serving: Versions = { data: 'first', side: 'first', web: 'first' }
    await shop.setVersions(serving)
    const first = await ended((await request(shop.id)).id, 180_000)
    expect(first).toMatchObject({ status: 'completed', errors: [] })
    const visitors = { address: host.address, keepAlive: 1, fresh: 1, pauseMs: 50 }
    const loads = (['side', 'web'] as const).map((service) =>
      startLoad({ ...visitors, host: shop.addressOf(service) }),
    )

    /** The deployment in progress, and whether it was killed there. */
    async function killIn(moment: Moment, delay: number) {
      let isHit = false
      const { id } = await during(shop.id, moment, async (deployment) => {
        await sleep(delay)
        await running.end('SIGKILL')
        isHit = await isIn(deployment.id, moment)
        const took = await resuming(slipway, async () => (running = await start()))
        expect(took).toBeLessThan(15_000)
      })
      const over = await ended(id, 120_000)
      for (const { result } of loads) expect(result.failures).toEqual([])
      return { isHit, over }
    }

    let nth = 0
    for (let round = 0; round < 3; round++) {
      for (const step of killed)
        await untilHit(lengths[step], async (delay) => {
          const { side } = await shop.untilServed(serving)
          const version = `${step} ${++nth}`
          serving = { ...serving, data: version, web: version }
          await shop.setVersions(serving)
          const { isHit, over } = await killIn(step, delay)
          expect(over).toMatchObject({ status: 'completed', errors: [] })
          expect((await shop.untilServed(serving)).side).toBe(side)
          return isHit
        })
      for (const moment of undone)
        await untilHit(lengths[moment], async (delay) => {
          const before = await shop.untilServed(serving)
          await shop.setVersions({ data: 'bad', side: 'bad', web: 'bad' }, { WEB_ENDS_AFTER: '1000' })
          const { isHit, over } = await killIn(moment, delay)
          expect(over.status).toBe('failed')
          expect(over.errors[0]).toMatch(/^Container \S+-web-\S+ exited with code 1\.$/)
          expect(await shop.untilServed(serving)).toEqual(before)
          return isHit
        })
    }
    for (const load of loads) expect((await load.stop()).failures).toEqual([])
    expect(await running.end('SIGTERM')).toBe(0)
  },
)
