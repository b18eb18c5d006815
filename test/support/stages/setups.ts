import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { vi } from 'vitest'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/setups.ts'
import { readOutput } from '../../../server/areas/outputs/output.ts'
import { scriptArguments, setUpScript } from '../../../server/areas/servers/set-up/run-setup-script.ts'
import type { TestSlipway } from './context.ts'
import {
  makeServer,
  makeSomeone,
  makeWorkspace,
  type Someone,
  type TestHost,
} from '../factories/factories.ts'
import { proxyImage } from '../rig/images.ts'
import { loadApp } from '../rig/load-app.ts'
import { madeOnce } from '../rig/once.ts'
import { provide } from '../rig/provide.ts'
import { takeCopy, takeServer, theRig } from '../rig/take.ts'
import { letIn, takeHost } from './take-host.ts'

/** A server with everything that setup needs. */
export async function takeProvidedHost(...later: Parameters<typeof takeHost>) {
  const host = await takeHost(...later)
  return { ...host, image: await provide(host) }
}

type ProvidedHost = Awaited<ReturnType<typeof takeProvidedHost>>

/** Arguments of the setup script. */
export const argumentsFor = ({ image }: Pick<ProvidedHost, 'image'>, httpPort = 80, httpsPort = 443) =>
  scriptArguments({
    httpPort,
    httpsPort,
    ipv6: false,
    image: image.name,
    username: 'root',
    socket: '/var/run/docker.sock',
  })

/** A set-up server with a running proxy and rig/app:1 and 2. Slipway needs its PROXY_IMAGE. */
export async function takeSetUpHost(...[later]: Parameters<typeof takeHost>): Promise<ProvidedHost> {
  const file = join(theRig().folder, 'set-up.img')
  const host = await letIn(await takeCopy(await madeOnce(file, saveSetUpDisk), later))
  await host.exec(
    'sh',
    '-euc',
    `until [ -S /var/lib/slipway/proxy/admin.sock ] && docker exec slipway-proxy true 2> /dev/null; do sleep 0.05; done`,
  )
  return { ...host, image: await proxyImage() }
}

async function saveSetUpDisk(file: string): Promise<void> {
  const undo: (() => Promise<void>)[] = []
  const server = await takeServer((release) => undo.push(release))
  try {
    const image = await provide(server)
    await loadApp(server, '1', '2')
    await server.exec('sh', '-c', setUpScript, 'set-up', ...argumentsFor({ image }))
    await server.stopDockerd()
    await server.saveDisk(`${file}.part`)
    await rename(`${file}.part`, file)
  } finally {
    for (const release of undo) await release()
  }
}

export interface Setting {
  slipway: TestSlipway
  workspace: Id<'workspace'>
  admin: Someone
  server: Id<'server'>
}

/** A workspace with a confirmed server that was never set up. */
export async function makeSetting(
  slipway: TestSlipway,
  host: TestHost,
  given: Parameters<typeof makeServer>[3] = {},
): Promise<Setting> {
  const workspace = await makeWorkspace(slipway.db)
  const admin = await makeSomeone(slipway.db, workspace, 'admin')
  const server = await makeServer(slipway.ctx, workspace, host, { status: 'pending', ...given })
  return { slipway, workspace, admin, server }
}

/** Starts the setup. Servers of earlier tests on the same host give up the machine. */
export async function start({ slipway, admin, server }: Setting) {
  const { address } = await slipway.db
    .selectFrom('servers')
    .select('address')
    .where('id', '=', server)
    .executeTakeFirstOrThrow()
  const others = slipway.db.updateTable('servers').set({ machine: null }).where('id', '<>', server)
  await others.where('address', '=', address).execute()
  return slipway.ok(contract.startSetup, { token: admin.token, params: { id: server } })
}

export async function latest({ slipway, admin, server }: Setting) {
  const { setup } = await slipway.ok(contract.getSetup, { token: admin.token, params: { id: server } })
  if (!setup) throw new Error('There is no set-up.')
  return setup
}

/** Log of the latest setup. */
export async function logOf(setting: Setting): Promise<string> {
  const { id } = await latest(setting)
  return (await readOutput(setting.slipway.ctx, setting.slipway.db, setting.workspace, id)).stdout
}

export const untilSaid = (setting: Setting, words: string | RegExp, timeout = 120_000) =>
  vi.waitFor(
    async () => {
      const log = await logOf(setting)
      if (!(typeof words === 'string' ? log.includes(words) : words.test(log)))
        throw new Error(`It has not said ${words}:\n${log}`)
    },
    { timeout, interval: 50 },
  )

/** Waits for the end and returns the setup, log and server. */
export async function untilOver(setting: Setting, timeout = 120_000) {
  await vi.waitFor(
    async () => {
      const { status } = await latest(setting)
      if (status !== 'completed' && status !== 'failed')
        throw new Error(`It is ${status}:\n${await logOf(setting)}`)
    },
    { timeout, interval: 50 },
  )
  const server = await setting.slipway.db
    .selectFrom('servers')
    .selectAll()
    .where('id', '=', setting.server)
    .executeTakeFirstOrThrow()
  return { setup: await latest(setting), log: await logOf(setting), server }
}
