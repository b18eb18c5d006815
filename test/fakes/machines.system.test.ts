import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterAll, expect, test, vi } from 'vitest'
import { command } from '../../server/remote/command.ts'
import { newKeyPair } from '../../server/remote/ssh/key-pair.ts'
import { scanHostKey } from '../../server/remote/ssh/host-key.ts'
import { anywhere, openHosts } from '../support/stages/reach.ts'
import { machineAddress } from '../support/rig/take.ts'
import { startFakeHetzner } from '../support/fakes/clouds/hetzner.ts'

const cloud = await startFakeHetzner({ machines: true })
afterAll(() => cloud.close())
const token = cloud.addToken()
const hosts = openHosts()

async function call<T>(method: string, path: string, body?: object): Promise<T> {
  const answer = await fetch(`${cloud.url}/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    ...(body && { body: JSON.stringify(body) }),
  })
  // The test checks the content.
  return (await answer.json()) as T
}

interface Report {
  server: { id: number; status: string; public_net: { ipv4: { ip: string } } }
}

/** Receives reports from a server. */
async function listen() {
  const heard: string[] = []
  const server = createServer((request, response) => {
    const hear = async () => {
      heard.push(await text(request))
      response.end()
    }
    void hear()
  }).listen(0, machineAddress())
  await once(server, 'listening')
  afterAll(() => void server.close())
  // The server listens on a port, not on a named socket.
  const { port } = server.address() as AddressInfo
  return { heard, url: `http://${machineAddress()}:${port}/` }
}

test('orders, boots, runs user data, accepts the key and destroys a server', async () => {
  const { heard, url } = await listen()
  const { privateKey, publicKey } = newKeyPair('slipway')
  const { ssh_key } = await call<{ ssh_key: { id: number } }>('POST', '/ssh_keys', {
    name: 'slipway',
    public_key: publicKey,
  })
  const ordered = await call<Report>('POST', '/servers', {
    name: 'web-1',
    server_type: 'cx23',
    location: 'fsn1',
    image: 'debian-12',
    ssh_keys: [ssh_key.id],
    user_data: `#!/bin/sh\necho began\ncurl -fsS -d "$(hostname) $(id -un)" ${url}\n`,
  })
  const { id, public_net } = ordered.server
  const address = public_net.ipv4.ip
  expect(ordered.server.status).toBe('initializing')

  await vi.waitFor(() => expect(heard).toEqual(['web-1 root']))
  expect(await call<Report>('GET', `/servers/${id}`)).toMatchObject({
    server: { status: 'running', public_net: { ipv4: { ip: address } } },
  })
  const [made] = cloud.servers
  expect(await made?.machine?.exec('cat', '/var/log/cloud-init-output.log')).toBe('began\n')

  const hostKey = (await scanHostKey(address, 22, { mayConnect: anywhere })) ?? ''
  const target = {
    kind: 'ssh',
    id: 'web-1',
    version: 1,
    address,
    port: 22,
    user: 'root',
    mayConnect: anywhere,
  } as const
  const host = hosts.get({ ...target, privateKey, hostKeys: [hostKey] })
  expect((await host.run(command('docker', 'images', '--quiet'))).stdout).not.toBe('')
  const stranger = { privateKey: newKeyPair('stranger').privateKey, hostKeys: [hostKey] }
  await expect(hosts.get({ ...target, id: 'other', ...stranger }).connect()).rejects.toThrow(/refuse|key/i)

  await call('DELETE', `/servers/${id}`)
  expect(cloud.servers).toEqual([])
  // Another worker may already have a server at this address.
  const shown = () => scanHostKey(address, 22, { mayConnect: anywhere }).catch(() => 'nothing')
  await vi.waitFor(async () => expect(await shown()).not.toBe(hostKey))
})

test('leaves nothing when it is destroyed during boot', async () => {
  cloud.slowBoot(0)
  const body = { name: 'short', server_type: 'cx23', location: 'fsn1', image: 'debian-12' }
  const { server } = await call<Report>('POST', '/servers', body)
  const machine = cloud.servers[0]?.machine
  await call('DELETE', `/servers/${server.id}`)
  expect(cloud.servers).toEqual([])
  await machine?.remove()
  // Another worker may already have a server at its place, under another name.
  const name = await machine?.exec('uname', '-n').catch(() => 'nothing')
  expect(name?.trim()).not.toBe('short')
})
