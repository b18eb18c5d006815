import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { z } from 'zod'
import * as contract from '../../../../contract/servers.ts'
import { streamSetup } from '../../../../contract/setups.ts'
import { startSlipway } from '../../../../test/support/stages/context.ts'
import { temporaryFolder } from '../../../../test/support/programs/programs.ts'
import type { RigServer } from '../../../../test/support/rig/server.ts'
import {
  logOf,
  makeSetting,
  start,
  takeProvidedHost,
  untilOver,
  untilSaid,
} from '../../../../test/support/stages/setups.ts'
import { ask, enter, startProcess } from '../../../../test/support/programs/slipway-process.ts'
import { openStream } from '../../../../test/support/clients/streams.ts'
import { longTest } from '../../../../test/support/run/campaign.ts'

const LAYERS = 60
const PROXY_IMAGE = 'registry.invalid/slow:1'

/** A server on which pulling the proxy image is slow and verbose. */
async function takeSlowHost() {
  const host = await takeProvidedHost(onTestFinished)
  const slow = `#!/bin/sh
if [ "$1" = pull ]; then
  for layer in $(seq ${LAYERS}); do echo "layer $layer of the image"; sleep 0.1; done
  exec /usr/bin/docker tag ${host.image.name} "$2"
fi
exec /usr/bin/docker "$@"
`
  await host.exec(
    'sh',
    '-c',
    'printf %s "$1" > /usr/local/bin/docker; chmod 755 /usr/local/bin/docker',
    'sh',
    slow,
  )
  return host
}

const layersIn = (log: string) =>
  [...log.matchAll(/^layer (\d+) of the image$/gm)].map(([, layer]) => Number(layer))
const everyLayer = Array.from({ length: LAYERS }, (_, i) => i + 1)

const slipway = await startSlipway({ PROXY_IMAGE })
afterAll(() => slipway.close())
slipway.work()

test('loses and repeats nothing when the network fails', async () => {
  const host = await takeSlowHost()
  const setting = await makeSetting(slipway, host)
  await start(setting)
  await untilSaid(setting, 'layer 5 of')
  await host.cut()
  const before = await logOf(setting)
  // The script continues without a connection and has finished by now.
  await vi.waitFor(() => host.exec('docker', 'inspect', 'slipway-proxy'))
  expect(layersIn(await logOf(setting)).length).toBeLessThan(LAYERS)
  await host.plug()
  const { setup, log, server } = await untilOver(setting)
  expect(setup).toMatchObject({ status: 'completed', error: null })
  expect(server).toMatchObject({ status: 'ready', reason: null })
  expect(log.startsWith(before)).toBe(true)
  expect(layersIn(log)).toEqual(everyLayer)
  expect(log.match(/^==> /gm)).toHaveLength(7)
})

longTest('restarts once after a power cut', async () => {
  const host = await takeSlowHost()
  const setting = await makeSetting(slipway, host)
  await start(setting)
  await untilSaid(setting, 'layer 5 of')
  await host.powerOff()
  await host.powerOn()
  const { setup, log } = await untilOver(setting)
  expect(setup).toMatchObject({ status: 'completed', error: null })
  const [first = '', second = ''] = log.split('The server restarted during setup. Starting over.\n')
  expect(layersIn(first)).toEqual(everyLayer.slice(0, layersIn(first).length))
  expect(layersIn(second)).toEqual(everyLayer)
})

longTest('continues in another process after a kill', async () => {
  const host = await takeSlowHost()
  const env = { DATA_DIR: join(await temporaryFolder(), 'data'), PROXY_IMAGE }
  const first = await startProcess(env)
  await first.ready
  const token = await enter(first.url)
  const server = await addServer(first.url, token, host)
  const log = await openStream(`${first.url}/v1/servers/${server}/setup/log`, {
    authorization: `Bearer ${token}`,
  })
  await vi.waitFor(() => expect(log.text()).toContain('layer 5 of'))
  await first.end('SIGKILL')
  const second = await startProcess(env)
  await second.ready
  const again = await openStream(`${second.url}/v1/servers/${server}/setup/log`, {
    authorization: `Bearer ${token}`,
  })
  await again.untilEnded()
  const said = again.heard
    .map(({ data }) => streamSetup.reply.parse(data))
    .map((event) => ('text' in event ? event.text : ''))
    .join('')
  expect(layersIn(said)).toEqual(everyLayer)
  expect(said.match(/^==> /gm)).toHaveLength(7)
  expect(said).toMatch(/\nThe server is ready\.\n$/)
})

/** Adds a server by address and confirms its host key, which starts the setup. */
async function addServer(url: string, token: string, host: RigServer): Promise<string> {
  const call = async <S extends z.ZodType>(path: string, reply: S, body?: object): Promise<z.output<S>> => {
    const { text } = await ask(url, path, token, body)
    return reply.parse(JSON.parse(text))
  }
  const { server } = await call('/v1/servers', contract.createServer.reply, {
    name: 'web',
    address: host.address,
  })
  const { key } = await call(`/v1/servers/${server.id}/key`, contract.getServerKey.reply)
  await host.authorize(key.public_key)
  const shown = await call(`/v1/servers/${server.id}/connect`, contract.connectServer.reply, {})
  const fingerprint = shown.server.offered_host_key?.fingerprint
  const trusted = await call(`/v1/servers/${server.id}/host-key`, contract.trustHostKey.reply, {
    fingerprint,
  })
  expect(trusted.server.status).toBe('setting_up')
  return server.id
}
