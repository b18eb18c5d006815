import { setTimeout as sleep } from 'node:timers/promises'
import { createApplication } from '../contract/applications.ts'
import { replaceVariables } from '../contract/application-entries.ts'
import { deployApplication, getDeployment } from '../contract/deployments.ts'
import type { Endpoint, Reply } from '../contract/endpoint.ts'
import { exactly } from '../test/support/clients/client.ts'
import { unique } from '../test/support/factories/factories.ts'
import { type Load, startLoad } from '../test/support/clients/load.ts'
import type { takeSetUpHost } from '../test/support/stages/setups.ts'
import { collecting, workerOf } from './process.ts'
import { addServer, newDataDir, removeDataDir, logIn, startSlipway } from './slipway.ts'

type Host = Awaited<ReturnType<typeof takeSetUpHost>>

interface CallOptions {
  id?: string
  query?: string
  body?: unknown
}

export type Shops = Awaited<ReturnType<typeof openShops>>

/** Starts Slipway as users do, with servers whose proxies run. */
export const openShops = (port: number, ...hosts: Host[]) => openShopsWith(port, {}, ...hosts)

/** Additional environment. */
export async function openShopsWith(port: number, env: Record<string, string>, ...hosts: Host[]) {
  const dataDir = newDataDir()
  const proxy = { PROXY_IMAGE: hosts[0]?.image.name ?? '' }
  const slipway = await startSlipway(port, dataDir, { ...collecting, ...proxy, ...env })
  const headers = { authorization: `Bearer ${await logIn(slipway.url)}` }
  const servers: string[] = []
  for (const host of hosts) servers.push(await addServer(dataDir, host))

  const ask = (path: string) => fetch(`${slipway.url}${path}`, { headers })

  async function ok<E extends Endpoint>(
    endpoint: E,
    { id = '', query = '', body = {} }: CallOptions = {},
  ): Promise<Reply<E>> {
    const { method, path, status = 200 } = endpoint
    const sent = { headers: { ...headers, 'content-type': 'application/json' }, body: JSON.stringify(body) }
    const url = `${slipway.url}${path.replace('{id}', id)}${query}`
    const answer = await fetch(url, method === 'GET' ? { headers } : { method, ...sent })
    const text = await answer.text()
    if (answer.status !== status) throw new Error(`${endpoint.key} gave ${answer.status} ${text}`)
    return exactly<E['reply']>(endpoint.reply, JSON.parse(text))
  }

  const look = async (id: string) => (await ok(getDeployment, { id, query: '?logs=false' })).deployment

  return {
    url: slipway.url,
    dataDir,
    ok,
    ask,
    look,
    pid: workerOf(slipway.child.pid ?? 0),
    /** Deployed at its own domain in this version. */
    async makeShop(server = 0, given: object = {}) {
      const name = unique('shop')
      const address = `${name}.example.com`
      const { application } = await ok(createApplication, {
        body: {
          name,
          source: { type: 'docker_image', image: 'rig/app:latest' },
          server_id: servers[server],
          domains: [{ host: address, https: false }],
          generated_address: false,
          health: { type: 'http', path: '/healthz' },
          ...given,
        },
      })
      return { id: application.id, address }
    },
    setEnv: (id: string, env: Record<string, string>) =>
      ok(replaceVariables, {
        id,
        body: { env: Object.entries(env).map(([key, value]) => ({ key, value })) },
      }),
    deploy: async (id: string) => (await ok(deployApplication, { id })).deployment,
    /** Fails unless the deployment succeeds. */
    async untilDone(id: string) {
      for (;;) {
        const now = await look(id)
        if (now.status === 'completed') return now
        if (now.finished_at !== null) throw new Error(`It is ${now.status}: ${now.errors.join(' ')}`)
        await sleep(50)
      }
    },
    async close() {
      await slipway.stop()
      removeDataDir(dataDir)
    },
  }
}

/** Polls the live version. */
export const visitor = { fresh: 1, pauseMs: 10 }

/** Milliseconds from `begin` until a visitor gets this version. */
export async function timeUntilServed(
  at: { address: string; host: string },
  version: string,
  begin: () => Promise<unknown>,
): Promise<number> {
  const load = startLoad({ ...at, ...visitor })
  const began = performance.now()
  let took = 0
  try {
    await begin()
    await untilSeen(load, version)
    took = performance.now() - began
  } finally {
    await load.stop()
  }
  const [failure] = load.result.failures
  if (failure !== undefined) throw new Error(failure)
  return took
}

export async function untilSeen({ result }: Load, version: string): Promise<void> {
  for (const end = performance.now() + 60_000; !result.versions.includes(version); await sleep(1))
    if (performance.now() > end) throw new Error(`Nobody gets version ${version}: ${result.failures.join()}`)
}
