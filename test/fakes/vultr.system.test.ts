import { afterAll, afterEach, expect, test, vi } from 'vitest'
import { newKeyPair } from '../../server/remote/ssh/key-pair.ts'
import { asking } from '../support/fakes/clouds/ask-cloud.ts'
import { startFakeVultr } from '../support/fakes/clouds/vultr.ts'

const cloud = await startFakeVultr()
afterAll(() => cloud.close())
afterEach(() => {
  cloud.servers.length = 0
  cloud.keys.length = 0
  Object.assign(cloud.state, { mostPerPage: Infinity, quota: 10 })
})
const ask = asking(cloud, cloud.addToken())
const instance = { region: 'fra', plan: 'vc2-1c-1gb', os_id: 2136, label: 'web', hostname: 'web' }
const refused = (status: number, error: string) => ({ status, body: { status, error } })

test('pages lists by cursor', async () => {
  cloud.state.mostPerPage = 10
  const seen: unknown[] = []
  let cursor = ''
  do {
    const { body } = await ask('GET', `/v2/plans?per_page=500${cursor && `&cursor=${cursor}`}`)
    const { plans, meta } = body as { plans: unknown[]; meta: { total: number; links: { next: string } } }
    expect(meta.total).toBe(23)
    seen.push(...plans)
    cursor = encodeURIComponent(meta.links.next)
  } while (cursor)
  expect(new Set(seen)).toHaveLength(23)
  expect(await ask('GET', '/v2/plans?cursor=nonsense')).toMatchObject(refused(400, 'Invalid cursor.'))
})

test('creates an instance as pending at 0.0.0.0, then active, and destroys it only then', async () => {
  const { publicKey } = newKeyPair('mine')
  const add = () => ask('POST', '/v2/ssh-keys', { name: 'mine', ssh_key: publicKey })
  const { ssh_key } = (await add()).body as { ssh_key: { id: string } }
  expect((await add()).status).toBe(201)
  cloud.neverBoots()
  const made = await ask('POST', '/v2/instances', {
    ...instance,
    sshkey_id: [ssh_key.id],
    tags: ['slipway', 'srv_1'],
    user_data: Buffer.from('#!/bin/sh\n').toString('base64'),
  })
  expect(made).toMatchObject({
    status: 202,
    body: { instance: { status: 'pending', main_ip: '0.0.0.0', server_status: 'none' } },
  })
  const { id } = (made.body as { instance: { id: string } }).instance
  // Extends the lock after creation, so that a slow machine does not matter.
  Object.assign(cloud.servers[0] ?? {}, { created: new Date(Date.now() + 60_000) })
  expect(await ask('DELETE', `/v2/instances/${id}`)).toMatchObject(
    refused(500, 'Unable to destroy server: Unable to remove VM: Server is currently locked'),
  )
  cloud.slowBoot(0)
  await vi.waitFor(async () =>
    expect(await ask('GET', '/v2/instances?tag=SRV_1')).toMatchObject({
      body: {
        instances: [{ status: 'active', power_status: 'running', main_ip: expect.stringMatching(/^203\./) }],
      },
    }),
  )
  expect(await ask('GET', '/v2/instances?tag=srv')).toMatchObject({ body: { instances: [] } })
  expect(cloud.servers).toMatchObject([{ userData: '#!/bin/sh\n', keys: [{ publicKey }] }])
  expect((await ask('DELETE', `/v2/instances/${id}`)).status).toBe(204)
  expect((await ask('DELETE', `/v2/instances/${id}`)).status).toBe(404)
  expect((await ask('DELETE', `/v2/ssh-keys/${ssh_key.id}`)).status).toBe(204)
  expect((await ask('DELETE', `/v2/ssh-keys/${ssh_key.id}`)).status).toBe(404)
})

test.each([
  ['Invalid region.', { region: 'mars' }],
  ['Invalid plan chosen.', { plan: 'huge' }],
  ['Invalid plan chosen.', { plan: 'vdc-2vcpu-8gb' }],
  ['Invalid os_id.', { os_id: '2136' }],
  ['Invalid os_id.', { os_id: 1 }],
  ['Custom needs more than an os_id.', { os_id: 159 }],
  ['Invalid hostname.', { hostname: 'not a host' }],
  ['Invalid SSH key ID.', { sshkey_id: ['none'] }],
  ['Invalid user_data: it must be base64 encoded.', { user_data: '#!/bin/sh' }],
  [
    'Server add failed: Debian 12 x64 (bookworm) requires a plan with at least 1000 MB memory.',
    { region: 'ams', plan: 'vc2-1c-0.5gb' },
  ],
])('does not create an instance: %s', async (error, wrong) => {
  expect(await ask('POST', '/v2/instances', { ...instance, ...wrong })).toMatchObject(refused(400, error))
  expect(cloud.servers).toEqual([])
})

test('enforces its stock and the instance limit of the account', async () => {
  cloud.soldOut('vc2-1c-1gb', 'fra')
  const { body } = await ask('GET', '/v2/regions/fra/availability')
  expect(body).toMatchObject({ available_plans: expect.not.arrayContaining(['vc2-1c-1gb']) })
  expect(await ask('POST', '/v2/instances', instance)).toMatchObject(
    refused(400, 'Server add failed: Plan is not available in the selected region.'),
  )
  expect(await ask('GET', '/v2/regions/mars/availability')).toMatchObject(refused(400, 'Invalid region.'))
  cloud.soldOut('vc2-1c-1gb', 'fra', false)
  cloud.state.quota = 0
  expect(await ask('POST', '/v2/instances', instance)).toMatchObject(
    refused(
      400,
      'Server add failed: You have reached the maximum number of active virtual machines for this account.',
    ),
  )
})

test('enforces and lists the permissions of the user of a key', async () => {
  const viewing = asking(cloud, cloud.addToken({ rights: ['subscriptions_view'] }))
  expect(await viewing('GET', '/v2/account')).toMatchObject({
    body: { account: { acls: ['subscriptions_view'] } },
  })
  expect((await viewing('GET', '/v2/instances')).status).toBe(200)
  for (const [path, body] of [
    ['/v2/instances', instance],
    ['/v2/ssh-keys', { name: 'mine', ssh_key: newKeyPair('mine').publicKey }],
  ] as const)
    expect((await viewing('POST', path, body)).status).toBe(403)
  expect(await asking(cloud, 'none')('GET', '/v2/account')).toMatchObject(refused(401, 'Invalid API token.'))
  cloud.limitRate()
  expect((await ask('GET', '/v2/account')).status).toBe(429)
  cloud.liftRate()
})
