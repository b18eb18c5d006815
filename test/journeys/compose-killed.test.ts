import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, expect, test } from 'vitest'
import { stepNames } from '../../contract/deployments.ts'
import { times } from '../campaign.ts'
import { openComposeShop } from '../compose-shop.ts'
import { openFaultStage } from '../fault-stage.ts'
import { startLoad } from '../load.ts'
import { resuming } from '../resuming.ts'
import { buildServer, type SlipwayProcess, startOn } from '../slipway-process.ts'

beforeAll(buildServer, 240_000)
const stage = await openFaultStage()
const { host, slipway, request, ended, during } = stage
const shop = await openComposeShop(stage)

/** Milliseconds after which a step may be through: it is killed at any moment of it. */
const length = { check: 1_000, fetch: 200, start: 3_000, wait: 1_000, switch: 200, drain: 200, prune: 50 }
const hit = times(1, 2) === 1 ? (['start', 'switch'] as const) : stepNames

const start = () => startOn(slipway.database, slipway.key, 'all', { PROXY_IMAGE: host.image.name })

test(
  'a Slipway that is killed while it stops one service and rolls another is followed by one that goes on',
  { timeout: times(600_000, 7_200_000) },
  async () => {
    let running: SlipwayProcess = await start()
    let serving = { data: 'first', side: 'first', web: 'first' }
    await shop.setVersions(serving)
    const first = await ended((await request(shop.id)).id, 180_000)
    expect(first).toMatchObject({ status: 'completed', errors: [] })
    const { side } = await shop.untilServed(serving)
    const visitors = { address: host.address, keepAlive: 1, fresh: 1, pauseMs: 50 }
    const loads = (['side', 'web'] as const).map((service) =>
      startLoad({ ...visitors, host: shop.addressOf(service) }),
    )
    for (let round = 0; round < times(1, 10); round++)
      for (const step of hit) {
        serving = { ...serving, data: `${step} ${round}`, web: `${step} ${round}` }
        await shop.setVersions(serving)
        const { id } = await during(shop.id, step, async () => {
          await sleep(Math.random() * length[step])
          await running.end('SIGKILL')
          running = await start()
        })
        expect(await resuming(slipway)).toBeLessThan(times(40_000, 15_000))
        expect(await ended(id, 120_000)).toMatchObject({ status: 'completed', errors: [] })
        expect((await shop.untilServed(serving)).side).toBe(side)
      }
    for (const load of loads) expect((await load.stop()).failures).toEqual([])
    expect(await running.end('SIGTERM')).toBe(0)
  },
)
