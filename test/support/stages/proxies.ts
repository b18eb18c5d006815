import { get as getHttp } from 'node:http'
import { get as getHttps, type RequestOptions } from 'node:https'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Insertable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import { syncProxy } from '../../../server/areas/proxies/proxy.ts'
import { countOpenConnections } from '../../../server/areas/proxies/count-open-connections.ts'
import { findServer } from '../../../server/areas/servers/server.ts'
import { newId } from '../../../server/platform/ids.ts'
import type { Tables } from '../../../server/tables.ts'
import type { TestSlipway } from './context.ts'
import { makeApplication, makeDeployment, makeRelease } from '../factories/application-factories.ts'
import { makeServer, makeWorkspace, unique } from '../factories/factories.ts'
import { loadApp } from '../rig/load-app.ts'
import { takeSetUpHost } from './setups.ts'

export type ProxyHost = Awaited<ReturnType<typeof takeProxyHost>>

/** A server with a proxy and rig/app versions 1 and 2. */
export async function takeProxyHost() {
  const host = await takeSetUpHost()
  await loadApp(host, '1', '2')
  return host
}

/** Rows of a server and an application that was not deployed. */
export async function makeRouted(
  slipway: TestSlipway,
  host: ProxyHost,
  given: Partial<Insertable<Tables['applications']>> = {},
  on?: { workspace: Id<'workspace'>; server: Id<'server'> },
) {
  const { ctx, db } = slipway
  const workspace = on?.workspace ?? (await makeWorkspace(db))
  const server = on?.server ?? (await makeServer(ctx, workspace, host))
  const id = await makeApplication(db, workspace, server, given)
  const release = await makeRelease(ctx, workspace, id, 1)
  const row = async () => {
    const found = await findServer(ctx, workspace, server)
    if (!found) throw new Error('It has gone.')
    return found
  }
  const sync = async () => syncProxy(ctx, await row())
  const of = { workspace_id: workspace, application_id: id }

  /**
   * Replaces the live containers like a deployment. Allows this many open connections, such as WebSockets, on the old
   * one.
   */
  async function serve(
    version: string,
    env: Record<string, string> = {},
    left = 0,
    service = '',
  ): Promise<void> {
    const name = unique('app')
    const variables = Object.entries(env).flatMap(([key, value]) => ['--env', `${key}=${value}`])
    await host.exec('docker', 'run', '--detach', '--name', name, ...variables, `rig/app:${version}`)
    const address = await addressOf(host, name)
    await untilWell(host, address)
    const deployment = await makeDeployment(db, workspace, { id, server })
    const all = await db.selectFrom('instances').selectAll().where('application_id', '=', id).execute()
    const slot = [1, 2, 3].find((free) => !all.some((one) => one.slot === free)) ?? 4
    const old = all.filter((one) => one.service === service)
    await db.transaction().execute(async (trx) => {
      await trx
        .updateTable('instances')
        .set({ state: 'draining' })
        .where('application_id', '=', id)
        .where('service', '=', service)
        .execute()
      await trx
        .insertInto('instances')
        .values({
          ...of,
          id: newId('instance'),
          server_id: server,
          deployment_id: deployment,
          release_id: release,
          service,
          replica: 1,
          address,
          port: 3000,
          container_id: name,
          state: 'serving',
          slot,
        })
        .execute()
    })
    await sync()
    for (const one of old) await retire(one, left)
  }

  async function retire(one: { id: Id<'instance'>; container_id: string | null }, left: number) {
    const sessions = async () => (await countOpenConnections(ctx, await row())).get(one.id) ?? 0
    for (const end = Date.now() + 120_000; (await sessions()) > left && Date.now() < end;) await sleep(50)
    await db.deleteFrom('instances').where('id', '=', one.id).execute()
    await sync()
    await host.exec('docker', 'stop', one.container_id ?? '')
  }

  return {
    ...of,
    workspace,
    server,
    id,
    row,
    sync,
    serve,
    async addDomain(name: string, more: Partial<Insertable<Tables['domains']>> = {}) {
      await db
        .insertInto('domains')
        .values({ ...of, id: newId('domain'), host: name, path: '/', https: false, ...more })
        .execute()
    },
    async publish(source: number, target: number, more: Partial<Insertable<Tables['published_ports']>> = {}) {
      await db
        .insertInto('published_ports')
        .values({ ...of, id: newId('publishedPort'), source, target, ...more })
        .execute()
    },
  }
}

const addressOf = async (host: ProxyHost, container: string) =>
  (await host.exec('docker', 'inspect', '--format', '{{.NetworkSettings.IPAddress}}', container)).trim()

const untilWell = (host: ProxyHost, address: string) =>
  host.exec(
    'sh',
    '-c',
    'for try in $(seq 1000); do curl --silent --fail "http://$1:3000/healthz" && exit; sleep 0.1; done; exit 1',
    'sh',
    address,
  )

export interface ProxyRequest {
  host?: string
  path?: string
  port?: number
  headers?: Record<string, string>
  /** Uses TLS with this root. */
  ca?: string
}

export function visit({ address }: Pick<ProxyHost, 'address'>, asked: ProxyRequest) {
  const { host = '', path = '/', ca, port = ca === undefined ? 80 : 443, headers } = asked
  const options: RequestOptions = {
    host: address,
    port,
    path,
    agent: false,
    headers: { host, ...headers },
    ...(ca !== undefined && { ca, servername: host }),
  }
  return new Promise<{ status: number; headers: Record<string, unknown>; text: string }>(
    (resolve, reject) => {
      const get = ca === undefined ? getHttp : getHttps
      get(options, (reply) => {
        let text = ''
        reply.setEncoding('utf8').on('data', (piece: string) => (text += piece))
        reply.once('error', reject)
        reply.once('end', () => resolve({ status: reply.statusCode ?? 0, headers: reply.headers, text }))
      }).once('error', reject)
    },
  )
}
