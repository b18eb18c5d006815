import { setTimeout as sleep } from 'node:timers/promises'
import { vi } from 'vitest'
import type { Id } from '../../../contract/ids.ts'
import { importServer } from '../../../contract/imports.ts'
import { createServer, deleteServer } from '../../../contract/servers.ts'
import { makeCloudToken } from '../factories/cloud-factories.ts'
import { startSlipway } from './context.ts'
import { makeTeam } from '../factories/factories.ts'
import type { FakeServer } from '../fakes/clouds/account.ts'
import { startFakeDigitalOcean } from '../fakes/clouds/digital-ocean.ts'
import { startFakeHetzner } from '../fakes/clouds/hetzner.ts'
import { startFakeVultr } from '../fakes/clouds/vultr.ts'
import { startPretendSshd } from '../fakes/pretend-sshd.ts'
import { startOn } from '../programs/slipway-process.ts'

const clouds = {
  hetzner: { start: startFakeHetzner, wanted: { region: 'fsn1', type: 'cx23', image: 'debian-12' } },
  digitalocean: {
    start: startFakeDigitalOcean,
    wanted: { region: 'fra1', type: 's-1vcpu-1gb', image: 'debian-12-x64' },
  },
  vultr: { start: startFakeVultr, wanted: { region: 'fra', type: 'vc2-1c-1gb', image: '2136' } },
} as const

export type CloudName = keyof typeof clouds

interface Sshd {
  address: string
  port: number
  hostKey: string
}

const patiently = { timeout: 30_000, interval: 50 }

/** A cloud whose servers are at addresses of this machine and show a host key there, and a Slipway whose workers are others. */
export async function openCloudStage(name: CloudName) {
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
  /** The lines that were called with and taken. */
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

  /** What its user data does when it boots; whether Slipway has taken it. */
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
    /** The next server is there. */
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
    /** Whatever runs calls, over again until Slipway takes it, for as long as this is not stopped. */
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
