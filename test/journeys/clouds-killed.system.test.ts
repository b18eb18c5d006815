import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import type { Id } from '../../contract/ids.ts'
import { times } from '../support/run/campaign.ts'
import { type CloudName, openCloudStage } from '../support/stages/cloud-stage.ts'
import { unique } from '../support/factories/factories.ts'
import type { Deed } from '../support/fakes/clouds/account.ts'
import { takeProvidedHost } from '../support/stages/setups.ts'
import { type SlipwayProcess } from '../support/programs/slipway-process.ts'
import { allEnded } from '../support/stages/workers.ts'

type Server = Id<'server'>
const patiently = { timeout: 90_000, interval: 100 }
/** After a long absence of a cloud a job that met it may rest for minutes. */
const inTheEnd = { timeout: times(90_000, 900_000), interval: 100 }
const everyCloud: CloudName[] = ['hetzner', 'digitalocean', 'vultr']
/** Milliseconds for which the cloud answers nobody after that. */
const away = times(1_000, 600_000)

describe.each(everyCloud.slice(0, times(1, 3)))('%s', async (name) => {
  const host = await takeProvidedHost()
  const stage = await openCloudStage(name)
  afterAll(stage.close, 60_000)
  const { cloud, db, order, destroy, untilStep, madeFor, callHome, rowOf } = stage
  let running: SlipwayProcess
  const start = async () => void (running = await stage.startWorker({ PROXY_IMAGE: host.image.name }))

  async function orderUntilCall(called: string): Promise<Server> {
    const id = await order(called)
    await untilStep(id, 'call')
    return id
  }

  async function call(id: Server): Promise<void> {
    const [made] = madeFor(id)
    if (!made) throw new Error(`Nothing was made for ${id}.`)
    expect(await callHome(made)).toBe(true)
  }

  /** The cloud keeps whoever does this waiting: before it is done, or with the answer to it. */
  async function heldAt<T>(deed: Deed, when: 'before' | 'after', act: () => Promise<T>): Promise<T> {
    const before = cloud.held()
    if (when === 'before') cloud.fail(deed, 'slow', 1)
    else cloud.holdAnswer(deed)
    const acted = await act()
    await vi.waitFor(() => expect(cloud.held()).toBeGreaterThan(before), patiently)
    return acted
  }

  /** Each is there once, both here and at the cloud, or not at all. */
  async function expectSettled(kept: Server[], gone: Server[]): Promise<void> {
    await vi.waitFor(async () => {
      const rows = await Promise.all(kept.map(rowOf))
      // All of it, so that one sees why.
      expect(rows.filter((row) => row?.step !== null || row.cloud_key_id !== null)).toEqual([])
      for (const id of gone) expect(await rowOf(id)).toBeUndefined()
    }, inTheEnd)
    await allEnded(db, ['provision-server', 'destroy-server'], 30_000)
    for (const id of kept) {
      const { cloud_id } = (await rowOf(id)) ?? {}
      expect(madeFor(id).map((made) => made.id)).toEqual([cloud_id])
    }
    expect(cloud.servers).toHaveLength(kept.length)
    expect(cloud.keys).toEqual([])
    expect(await db.selectFrom('servers').select('id').execute()).toHaveLength(kept.length)
  }

  /** Whatever answers are lost meanwhile. One that is only frozen goes on when another has taken over. */
  async function strikeAnytime(kept: Server[], how: 'SIGKILL' | 'SIGSTOP'): Promise<void> {
    await stage.prepareAddresses(12)
    const stopCalling = stage.startCalling()
    const gone: Server[] = []
    if (Math.random() < 0.5) cloud.loseAnswer('create')
    if (Math.random() < 0.5) cloud.failAfter('destroy')
    cloud.slowBoot(1_000)
    for (let nth = 0; nth < 6; nth++) {
      const id = await order(unique('anytime'))
      ;(nth % 2 === 0 ? kept : gone).push(id)
      await sleep(Math.random() * 500)
    }
    const destroying = gone.map(async (id) => {
      await sleep(Math.random() * 4_000)
      // Whoever is frozen may hold its row, which is more than a person is kept waiting for.
      await vi.waitFor(() => destroy(id), patiently)
    })
    await sleep(Math.random() * 4_000)
    const struck = running
    struck.child.kill(how)
    await Promise.all(destroying)
    await start()
    await expectSettled(kept, gone)
    struck.child.kill('SIGCONT')
    await sleep(5_000)
    await expectSettled(kept, gone)
    await struck.end('SIGKILL')
    await stopCalling()
  }

  test(
    'a Slipway that is killed at any step of making and destroying servers leaves no orphan and no duplicate',
    { timeout: times(240_000, 3_600_000) },
    async () => {
      await stage.prepareAddresses(20)
      await start()
      const begun = ['one', 'two', 'three', 'key before', 'key after', 'called']
      const atCall = begun.map((called) => orderUntilCall(called))
      const [one, two, three, keyBefore, keyAfter, called] = await Promise.all(atCall)
      if (!one || !two || !three || !keyBefore || !keyAfter || !called) throw new Error('There are six.')
      stage.give(host)
      const setUp = await orderUntilCall('set-up')
      await Promise.all([call(one), call(two)])
      await vi.waitFor(async () => expect(await rowOf(two)).toMatchObject({ cloud_key_id: null }), patiently)
      await vi.waitFor(async () => expect(await rowOf(one)).toMatchObject({ cloud_key_id: null }), patiently)

      await heldAt('destroy', 'before', () => destroy(one))
      await heldAt('destroy', 'after', () => destroy(two))
      await heldAt('remove key', 'after', () => destroy(three))
      const unwanted = await heldAt('create', 'after', () => order('unwanted'))
      await destroy(unwanted)
      await heldAt('remove key', 'before', () => call(keyBefore))
      await heldAt('remove key', 'after', () => call(keyAfter))
      const held: Server[] = []
      for (const deed of ['add key', 'create'] as const)
        for (const when of ['before', 'after'] as const)
          held.push(await heldAt(deed, when, () => order(`${when} ${deed}`)))
      cloud.neverBoots()
      const booting = await order('booting')
      await untilStep(booting, 'boot')
      await host.authorize(madeFor(setUp)[0]?.keys[0]?.publicKey ?? '')
      await call(setUp)
      await vi.waitFor(
        async () => expect(await rowOf(setUp)).toMatchObject({ status: 'setting_up' }),
        patiently,
      )

      await running.end('SIGKILL')
      cloud.heal()
      cloud.slowBoot(50)
      cloud.down('cut')
      await start()
      const kept = [keyBefore, keyAfter, called, setUp, ...held, booting]
      const gone = [one, two, three, unwanted]
      await vi.waitFor(async () => {
        // What they wait for is said where they are shown.
        for (const id of [booting, unwanted])
          expect(await rowOf(id)).toMatchObject({ reason: expect.stringContaining('keeps trying') })
      }, patiently)
      await sleep(away)
      cloud.up()
      const stopCalling = stage.startCalling()
      await expectSettled(kept, gone)
      await stopCalling()
      // Nothing was made twice, not even for a moment.
      expect(cloud.state.createdCount).toBe(kept.length + gone.length)
      await vi.waitFor(async () => expect(await rowOf(setUp)).toMatchObject({ status: 'ready' }), patiently)
      for (let round = 0; round < times(0, 12); round++)
        await strikeAnytime(kept, round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP')
      expect(await running.end('SIGTERM')).toBe(0)
    },
  )
})
