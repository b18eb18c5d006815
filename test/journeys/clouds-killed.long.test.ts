import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { makeCloudToken } from '../support/factories/cloud-factories.ts'
import { makeTeam, unique } from '../support/factories/factories.ts'
import type { FakeServer, Operation } from '../support/fakes/clouds/state.ts'
import { startFakeDigitalOcean } from '../support/fakes/clouds/digital-ocean.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'
import { startFakeVultr } from '../support/fakes/clouds/vultr.ts'
import { startPretendSshd } from '../support/fakes/pretend-sshd.ts'
import { type SlipwayProcess, startOn } from '../support/programs/slipway-process.ts'
import { startSlipway } from '../support/stages/context.ts'
import { takeProvidedHost } from '../support/stages/setups.ts'
import { allEnded } from '../support/stages/workers.ts'
import type { Id } from '../../contract/shared/ids.ts'
import { importServer } from '../../contract/imports.ts'
import { createServer, deleteServer } from '../../contract/servers.ts'

const clouds = {
  hetzner: { start: startFakeHetzner, wanted: { region: 'fsn1', type: 'cx23', image: 'debian-12' } },
  digitalocean: {
    start: startFakeDigitalOcean,
    wanted: { region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' },
  },
  vultr: { start: startFakeVultr, wanted: { region: 'fra', type: 'vc2-1c-1gb', image: '2136' } },
} as const

type CloudName = keyof typeof clouds

interface Sshd {
  address: string
  port: number
  hostKey: string
}

const patiently = { interval: 100 }

/** A cloud whose servers are loopback addresses with host keys, and a Slipway with separate workers. */
async function openCloudStage(name: CloudName) {
  const { start, wanted } = clouds[name]
  const cloud = await start()
  cloud.state.quota = 1_000
  const env = {
    ...cloud.env,
    OUTBOUND_NETWORKS: '127.0.0.0/8',
    PUBLIC_URL: 'http://slipway.test',
    CLOUD_TIMEOUT: '20',
  }
  const slipway = await startSlipway(env)
  const { db } = slipway
  const { workspace, admin } = await makeTeam(db)
  const cloud_token_id = await makeCloudToken(slipway.ctx, workspace, cloud.addToken(), { provider: name })

  const sshds = new Map<string, Sshd>()
  /** Import URLs that were called and accepted. */
  const heard = new Set<string>()
  const closing: (() => void)[] = []
  let last = 1
  async function prepareAddresses(count: number) {
    for (let nth = 0; nth < count; nth++) {
      const sshd = await startPretendSshd(`127.${last >> 8}.${last & 255}.10`)
      last++
      closing.push(sshd.close)
      sshds.set(sshd.address, sshd)
      free.push(sshd.address)
    }
  }
  const free: string[] = []
  cloud.state.nextAddress = () => {
    const address = free.shift()
    if (address === undefined) throw new Error('No address is left.')
    return address
  }

  const rowOf = (id: Id<'server'>) =>
    db
      .selectFrom('servers')
      .leftJoin('cloud_servers', 'cloud_servers.server_id', 'servers.id')
      .select(['servers.status', 'servers.reason', 'step', 'cloud_id', 'cloud_key_id'])
      .where('servers.id', '=', id)
      .executeTakeFirst()

  const madeFor = (id: Id<'server'>) =>
    cloud.servers.filter(({ labels, tags }) => JSON.stringify([labels, tags]).includes(id))

  /** Simulates the user data of a booting server; returns whether Slipway accepted it. */
  async function callHome({ address, userData }: FakeServer): Promise<boolean> {
    const sshd = sshds.get(address)
    const [token] = /imp_[\w-]+/.exec(userData) ?? []
    if (!sshd || !token) throw new Error(`The server at ${address} cannot call.`)
    if (heard.has(token)) return true
    const { status } = await slipway.call(importServer.key, {
      body: { token, hostname: 'made', user: 'root', port: sshd.port, host_keys: [sshd.hostKey] },
      address,
    })
    if (status === 201) heard.add(token)
    return status === 201
  }

  return {
    name,
    cloud,
    slipway,
    db,
    prepareAddresses,
    rowOf,
    madeFor,
    callHome,
    /** The next server exists. */
    give(sshd: Sshd) {
      sshds.set(sshd.address, sshd)
      free.unshift(sshd.address)
    },
    order: async (called: string): Promise<Id<'server'>> => {
      const body = { name: called, cloud: { cloud_token_id, ...wanted } }
      return (await slipway.ok(createServer, { token: admin.token, body })).server.id
    },
    destroy: (id: Id<'server'>) =>
      slipway.ok(deleteServer, { token: admin.token, params: { id }, query: { cloud: 'destroy' } }),
    untilStep: (id: Id<'server'>, step: string | null) =>
      vi.waitFor(async () => {
        const row = await rowOf(id)
        if (row?.step !== step) throw new Error(`It is not at ${step}: ${JSON.stringify(row)}`)
      }, patiently),
    /** Running servers call until Slipway accepts them. */
    startCalling() {
      const over = new AbortController()
      const calling = (async () => {
        while (!over.signal.aborted) {
          for (const one of cloud.servers.filter(({ status }) => status === 'running')) await callHome(one)
          await sleep(100)
        }
      })()
      return () => {
        over.abort()
        return calling
      }
    },
    startWorker: (more: Record<string, string> = {}) =>
      startOn(slipway.database, slipway.key, 'worker', { ...env, ...more }),
    close: async () => {
      await slipway.close()
      await cloud.close()
      for (const close of closing) close()
    },
  }
}

type Server = Id<'server'>
/** After a long outage a job may back off for minutes. */
const inTheEnd = { timeout: 900_000, interval: 100 }
const everyCloud: CloudName[] = ['hetzner', 'digitalocean', 'vultr']
/** Milliseconds for which the provider is unavailable afterwards. */
const away = 600_000

describe.each(everyCloud)('%s', async (name) => {
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
    if (!made) throw new Error(`No server was created for ${id}.`)
    expect(await callHome(made)).toBe(true)
  }

  /** The provider holds this request before or after it is done. */
  async function heldAt<T>(deed: Operation, when: 'before' | 'after', act: () => Promise<T>): Promise<T> {
    const before = cloud.held()
    if (when === 'before') cloud.fail(deed, 'slow', 1)
    else cloud.holdAnswer(deed)
    const acted = await act()
    await vi.waitFor(() => expect(cloud.held()).toBeGreaterThan(before), patiently)
    return acted
  }

  /** Each server exists once, here and at the provider, or not at all. */
  async function expectSettled(kept: Server[], gone: Server[]): Promise<void> {
    await vi.waitFor(async () => {
      const rows = await Promise.all(kept.map(rowOf))
      // Prints everything on a failure.
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

  /** Responses may be lost meanwhile. A frozen worker continues after another has taken over. */
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
      // A frozen worker may hold the row longer than a request waits.
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
    'leaves no orphan and no duplicate when it is killed at any step of creating and destroying servers',
    { timeout: 3_600_000 },
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
        // The reason for waiting is shown.
        for (const id of [booting, unwanted])
          expect(await rowOf(id)).toMatchObject({ reason: expect.stringContaining('retrying') })
      }, patiently)
      await sleep(away)
      cloud.up()
      const stopCalling = stage.startCalling()
      await expectSettled(kept, gone)
      await stopCalling()
      // No server was duplicated, not even temporarily.
      expect(cloud.state.createdCount).toBe(kept.length + gone.length)
      await vi.waitFor(async () => expect(await rowOf(setUp)).toMatchObject({ status: 'ready' }), patiently)
      for (let round = 0; round < 12; round++)
        await strikeAnytime(kept, round % 2 === 0 ? 'SIGKILL' : 'SIGSTOP')
      expect(await running.end('SIGTERM')).toBe(0)
    },
  )
})
