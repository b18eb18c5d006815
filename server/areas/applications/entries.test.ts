import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/application-entries.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { makeServer, makeTeam, nowhere } from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx, ok, refused } = slipway
const team = await makeTeam(db)
const { workspace } = team
const { token } = team.member
let server: Id<'server'>
beforeAll(async () => {
  server = await makeServer(ctx, workspace, nowhere(), { status: 'unreachable', http_port: 8080 })
})

async function applicationAt() {
  const id = await makeApplication(db, workspace, server)
  const at = { token, params: { id } }
  const details = async () => {
    const rows = await db
      .selectFrom('events')
      .select('detail')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    return rows.map(({ detail }) => detail)
  }
  return { id, at, details, of: (params: object) => ({ token, params: { id, ...params } }) }
}

describe('the environment', () => {
  test('adds, updates, removes and replaces variables in order', async () => {
    const { at, of, details } = await applicationAt()
    const list = async () =>
      (await ok(contract.listVariables, at)).env.map(({ key, value }) => `${key}=${value}`)
    for (const key of ['A', 'B', 'C']) await ok(contract.createVariable, { ...at, body: { key, value: '1' } })
    const { env } = await ok(contract.listVariables, at)
    const [a, b] = [env[0]?.id ?? '', env[1]?.id ?? '']
    const changed = await ok(contract.updateVariable, {
      ...of({ env_id: a }),
      body: { key: 'Z', value: ' 2\n' },
    })
    expect(changed.env).toMatchObject({ id: a, key: 'Z', value: ' 2\n' })
    await ok(contract.deleteVariable, of({ env_id: b }))
    expect(await list()).toEqual(['Z= 2\n', 'C=1'])
    const again = await ok(contract.replaceVariables, { ...at, body: { env: 'C=1\nNEW=x=y\nC=3' } })
    expect(again.env.map(({ key, value }) => [key, value])).toEqual([
      ['C', '3'],
      ['NEW', 'x=y'],
    ])
    expect(await list()).toEqual(['C=3', 'NEW=x=y'])
    await ok(contract.replaceVariables, {
      ...at,
      body: {
        env: [
          { key: 'NEW', value: 'x=y' },
          { key: 'C', value: '3' },
        ],
      },
    })
    expect(await list()).toEqual(['NEW=x=y', 'C=3'])
    // Events list the changed names; a new order alone emits no event.
    expect(await details()).toEqual(['A', 'B', 'C', 'Z', 'B', 'Z, C, NEW'])
  })

  test('keeps the row and modification time of unchanged variables', async () => {
    const { at } = await applicationAt()
    const first = await ok(contract.replaceVariables, { ...at, body: { env: 'A=1\nB=1' } })
    const second = await ok(contract.replaceVariables, { ...at, body: { env: 'A=1\nB=2' } })
    expect(second.env[0]).toEqual(first.env[0])
    expect(second.env[1]).toMatchObject({ id: first.env[1]?.id, value: '2' })
    expect(second.env[1]?.updated_at).not.toBe(first.env[1]?.updated_at)
  })

  test('seals values, shows them only to members who may change them, and keeps them out of events', async () => {
    const { id, at } = await applicationAt()
    const secret = 'correct-horse-battery'
    await ok(contract.createVariable, { ...at, body: { key: 'PASSWORD', value: secret } })
    const seen = async (who: string, query = {}) =>
      (await ok(contract.listVariables, { params: { id }, token: who, query })).env[0]?.value
    expect(await seen(token)).toBe(secret)
    expect(await seen(token, { values: 'false' })).toBeNull()
    expect(await seen(team.viewer.token)).toBeNull()
    const rows = [
      ...(await db.selectFrom('variables').selectAll().execute()),
      ...(await db.selectFrom('events').selectAll().execute()),
    ]
    expect(JSON.stringify([rows, slipway.lines])).not.toContain(secret)
  })

  test('rejects duplicate keys', async () => {
    const { at, of } = await applicationAt()
    const body = { key: 'A', value: '1' }
    await ok(contract.createVariable, { ...at, body })
    const { env } = await ok(contract.createVariable, { ...at, body: { ...body, key: 'B' } })
    const said = { errors: { key: ['A variable with this key already exists.'] } }
    expect((await refused(contract.createVariable, { ...at, body }, 422)).body).toEqual(said)
    const taken = { ...of({ env_id: env.id }), body }
    expect((await refused(contract.updateVariable, taken, 422)).body).toEqual(said)
    await refused(contract.updateVariable, { ...of({ env_id: 'env_none' }), body }, 404)
    const another = await applicationAt()
    await refused(contract.deleteVariable, another.of({ env_id: env.id }), 404)
  })

  test('accepts concurrent additions', async () => {
    const { at } = await applicationAt()
    const keys = Array.from({ length: 8 }, (_, n) => `KEY_${n}`)
    await Promise.all(keys.map((key) => ok(contract.createVariable, { ...at, body: { key, value: '' } })))
    const { env } = await ok(contract.listVariables, at)
    expect(env.map(({ key }) => key).toSorted()).toEqual(keys)
  })
})

test('adds, updates, removes and replaces labels', async () => {
  const { at, of } = await applicationAt()
  const { label } = await ok(contract.createLabel, { ...at, body: { key: 'team', value: 'web' } })
  await ok(contract.updateLabel, { ...of({ label_id: label.id }), body: { key: 'team', value: 'shop' } })
  const { labels } = await ok(contract.replaceLabels, { ...at, body: { labels: 'team=shop\na/b.c=1' } })
  expect(labels).toMatchObject([
    { id: label.id, key: 'team', value: 'shop' },
    { key: 'a/b.c', value: '1' },
  ])
  await ok(contract.deleteLabel, of({ label_id: label.id }))
  expect((await ok(contract.listLabels, at)).labels).toHaveLength(1)
})

describe('volumes', () => {
  test('does not let members change volumes of an application that mounts server folders', async () => {
    const { at, of } = await applicationAt()
    const admin = { ...at, token: team.admin.token }
    const { volumes } = await ok(contract.replaceVolumes, {
      ...admin,
      body: { volumes: '/srv/a:/a\ndata:/data' },
    })
    expect(volumes.map(({ source, type }) => [source, type])).toEqual([
      ['/srv/a', 'bind'],
      ['data', 'volume'],
    ])
    for (const given of ['/srv/a:/a\ndata:/data\nmore:/more', '/srv/a:/b'])
      await refused(contract.replaceVolumes, { ...at, body: { volumes: given } }, 403, 'forbidden')
    await refused(contract.createVolume, { ...at, body: { source: '/srv/b', target: '/b' } }, 403)
    const turned = { ...of({ volume_id: volumes[1]?.id }), body: { source: '/srv/b', target: '/data' } }
    await refused(contract.updateVolume, turned, 403)
    expect((await ok(contract.listVolumes, at)).volumes).toEqual(volumes)
    const kept = { ...admin, body: { volumes: 'a:/a\n/etc/ssl:/ssl' } }
    expect((await refused(contract.replaceVolumes, kept, 422)).body).toMatchObject({
      errors: { 'volumes.1.source': [expect.stringMatching(/\/etc\/ssl is used by the operating system/)] },
    })
  })
})

describe('published ports', () => {
  test('are published, retargeted and unpublished with a proxy update each time', async () => {
    const { at, of } = await applicationAt()
    const publish = async (ports: unknown) =>
      (await ok(contract.createPorts, { ...at, body: { ports } })).ports.map(
        (port) => `${port.source}:${port.target}`,
      )
    expect(await publish('6001:80')).toEqual(['6001:80'])
    expect(
      await publish([
        { source: 6000, target: 81 },
        { source: '6001', target: 82 },
      ]),
    ).toEqual(['6000:81', '6001:82'])
    const { ports } = await ok(contract.listPorts, at)
    await ok(contract.deletePort, of({ port_id: ports[0]?.id }))
    await refused(contract.deletePort, of({ port_id: ports[0]?.id }), 404)
    const syncs = await db.selectFrom('jobs').select('id').where('key', '=', `sync-proxy:${server}`).execute()
    expect(syncs.length).toBeGreaterThanOrEqual(3)
  })

  test('cannot use ports of the server itself', async () => {
    const { at } = await applicationAt()
    const ports = '8080:1\n443:1\n2200:1\n7777:1'
    const { body } = await refused(contract.createPorts, { ...at, body: { ports } }, 422)
    expect(body).toEqual({
      errors: {
        'ports.0.source': [expect.stringMatching(/^Port 8080 is the HTTP port of the proxy/)],
        'ports.1.source': [expect.stringMatching(/^Port 443 is the HTTPS port of the proxy/)],
        'ports.2.source': [expect.stringMatching(/^Port 2200 is the SSH port of this server/)],
      },
    })
    expect((await ok(contract.listPorts, at)).ports).toEqual([])
  })
})
