import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import {
  createServer,
  type IncomingMessage,
  request,
  type RequestListener,
  type RequestOptions,
} from 'node:http'
import { connect } from 'node:net'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, vi } from 'vitest'
import { proxyFolder } from '../../../server/remote/proxy/config.ts'
import { configName, planProxy, type Routing } from '../../../server/remote/proxy/plan.ts'
import { urlOf } from './port.ts'
import { temporaryFolder } from './programs.ts'
import { freePort } from './slipway-process.ts'

/** The HAProxy of this machine in front of an application, `app_shop` at `shop.test`, for the tests of a file. */
export async function startHaproxy(answer: RequestListener, routing: Partial<Routing> = {}) {
  const application = createServer(answer).listen(0, '127.0.0.1')
  await once(application, 'listening')
  const port = Number(await freePort())
  const folder = await temporaryFolder(afterAll)
  const shop = {
    id: 'app_shop',
    replicas: 1,
    maintenance: false,
    healthPath: null,
    domains: [{ service: '', host: 'shop.test', path: '/', port: null, secure: null }],
    ports: [],
    instances: [
      { service: '', slot: 1, address: '127.0.0.1', port: portOf(urlOf(application)), serving: true },
    ],
  }
  const plan = (more: Partial<Routing> = {}) =>
    planProxy(
      {
        httpPorts: [port],
        httpsPorts: [],
        certificates: [],
        challenges: [],
        trustedProxies: [],
        probeKey: '',
        applications: [shop],
        ...routing,
        ...more,
      },
      true,
    )
  for (const { name, content } of plan().files)
    await writeFile(
      join(folder, name),
      content
        .replaceAll(proxyFolder, folder)
        .replace(/^ {2}[ug]id 99\n/gm, '')
        .replace('/var/lib', folder),
    )
  const haproxy = spawn('/usr/sbin/haproxy', ['-db', '-f', join(folder, configName)], { stdio: 'ignore' })
  afterAll(async () => {
    haproxy.kill('SIGKILL')
    await once(haproxy, 'exit')
    application.close()
  })

  /** Sends a command to the running HAProxy. */
  async function admin(command: string): Promise<string> {
    const socket = connect(join(folder, 'admin.sock'))
    socket.end(`${command}\n`)
    return text(socket)
  }
  async function visit({ headers, ...options }: Visit = {}): Promise<{ status: number; text: string }> {
    const others = { host: '127.0.0.1', ...options }
    const sent = request({ port, agent: false, ...others, headers: { host: 'shop.test', ...headers } }).end()
    const [reply]: IncomingMessage[] = await once(sent, 'response')
    return { status: reply?.statusCode ?? 0, text: reply ? await text(reply) : '' }
  }
  await vi.waitFor(() => visit())
  return { folder, plan, admin, visit }
}

interface Visit extends Pick<RequestOptions, 'host' | 'localAddress' | 'path'> {
  headers?: Record<string, string | string[]>
}

const portOf = (url: string) => Number(new URL(url).port)
