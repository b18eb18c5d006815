import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { rollBackApplication, startApplication, stopApplication } from '../../contract/deployments.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { changeApplication } from '../../server/areas/applications/application.ts'
import { isLong, times } from '../support/run/campaign.ts'
import { openFaultStage } from '../support/stages/fault-stage.ts'
import { startLoad } from '../support/clients/load.ts'
import { publish, startRegistry } from '../support/programs/registry.ts'
import { startGate } from '../support/fakes/registry-gate.ts'
import { resuming } from '../support/stages/resuming.ts'
import { type SlipwayProcess, startOn } from '../support/programs/slipway-process.ts'
import { unbuiltSteps, type Step } from '../support/stages/watch-steps.ts'

const stage = await openFaultStage()
const { host, slipway, token, workspace, request, ended, instancesOf } = stage
const { makeShop, setEnv, containersOf, during, untilSettled } = stage
const registry = await startRegistry(host)

type Shop = Id<'application'>

/** Milliseconds within which a step is killed at a random time. Fetching is held by a gate. */
const length: Record<Step, number> = {
  check: 50,
  fetch: 1_000,
  start: 400,
  wait: 1_000,
  switch: 50,
  drain: 1_000,
  prune: 50,
}

const start = () => startOn(slipway.database, slipway.key, 'all', { PROXY_IMAGE: host.image.name })
const asked = (id: Shop) => ({ token, params: { id } })
const rollBack = async (id: Shop) =>
  (await slipway.ok(rollBackApplication, { ...asked(id), body: {} })).deployment
const stop = async (id: Shop) => (await slipway.ok(stopApplication, asked(id))).deployment

async function deployAs(shop: Shop, version: string): Promise<void> {
  await setEnv(shop, { VERSION: version })
  const { id } = await request(shop)
  expect(await ended(id, 180_000)).toMatchObject({ status: 'completed' })
}

/** Each step has its own application; the long form covers the others. */
const hit = isLong ? unbuiltSteps : (['switch'] as const)
type Part = Step | 'back' | 'stop'

interface Played {
  shop: Shop
  address: string
  /** The live version and the next one. */
  old: string
  next: string
}

async function openShop(name: Part): Promise<Played> {
  const address = `${name}.test`
  const shop = await makeShop(address)
  await deployAs(shop, 'first')
  if (name !== 'back') return { shop, address, old: 'first', next: '' }
  await deployAs(shop, 'second')
  return { shop, address, old: 'second', next: 'first' }
}

const visitors = ({ address }: Played) =>
  startLoad({
    address: host.address,
    host: address,
    keepAlive: 1,
    fresh: 1,
    slow: 1,
    // Gives the deployment something to wait for.
    slowMs: 1_500,
    pauseMs: 50,
  })

async function expectStopped({ shop }: Played, id: string): Promise<void> {
  expect(await ended(id)).toMatchObject({ status: 'completed', errors: [] })
  expect(await instancesOf(shop)).toMatchObject([{ state: 'stopped' }])
  expect(await containersOf(shop)).toHaveLength(1)
  const { deployment } = await slipway.ok(startApplication, asked(shop))
  expect(await ended(deployment.id)).toMatchObject({ status: 'completed', errors: [] })
}

test(
  'continues after Slipway was killed in any step, without failed requests',
  { timeout: times(600_000, 7_200_000) },
  async () => {
    let running: SlipwayProcess = await start()
    const gate = await startGate(registry)
    const image = await publish(host, registry, 'shop/app:1', { a: 2_000_000 }, 'rig/app:1')
    const slow = image.replace(registry.address, gate.address)
    const shops = await Promise.all(hit.map(async (step) => ({ step, ...(await openShop(step)) })))
    const [back, stopped] = await Promise.all([openShop('back'), openShop('stop')])
    const loads = [...shops, back].map(visitors)

    const neverHit = new Set<Step>(hit)
    /** Milliseconds until everything was resumed. */
    const took: number[] = []
    const kill = (step: Step, pilesUp: boolean) => async (deployment: { id: Id<'deployment'> }) => {
      await sleep(Math.random() * length[step])
      await running.end('SIGKILL')
      if (await stage.isIn(deployment.id, step)) neverHit.delete(step)
      // The step was over; the next kill comes sooner.
      else length[step] /= 2
      gate.open()
      const again = async () => void (running = await start())
      if (pilesUp) await again()
      else took.push(await resuming(slipway, again))
    }

    for (let round = 0; round < times(1, 14); round++) {
      // Every other round kills again before the recovery is complete.
      const killIn = (step: Step) => kill(step, round % 2 === 0)
      const begun: { played: Played; id: string }[] = []
      for (const played of shops) {
        const { step, shop } = played
        played.next = `round ${round}`
        await setEnv(shop, { VERSION: played.next, ...(step === 'wait' && { HEALTHY_AFTER_MS: '1500' }) })
        if (step === 'fetch') {
          gate.close()
          await changeApplication(slipway.db, workspace, shop, { image: slow })
        }
        begun.push({ played, id: (await during(shop, step, killIn(step))).id })
      }
      // The long form covers each step in rounds.
      const turning = unbuiltSteps[(round + 4) % unbuiltSteps.length] ?? 'switch'
      begun.push({ played: back, id: (await during(back.shop, turning, killIn(turning), rollBack)).id })
      const stopping = round % 2 === 0 ? 'drain' : 'switch'
      const { id } = await during(stopped.shop, stopping, kill(stopping, false), stop)

      expect(Math.max(...took)).toBeLessThan(times(120_000, 15_000))
      for (const one of begun) {
        const { shop, address, old, next } = one.played
        const over = await untilSettled(shop, address, one.id, one.played)
        expect(over).toMatchObject({ status: 'completed', errors: [] })
        Object.assign(one.played, { old: next, next: old })
      }
      await expectStopped(stopped, id)
    }
    for (const load of loads) expect((await load.stop()).failures).toEqual([])
    expect(await running.end('SIGTERM')).toBe(0)
    // In a single round a step may be over before the kill.
    expect(neverHit.size).toBeLessThanOrEqual(times(hit.length, 0))
  },
)
