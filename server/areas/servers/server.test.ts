import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import * as contract from '../../../contract/servers.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { eventsOf } from '../../../test/support/clients/events.ts'
import { makeInstanceOwner, makeTeam } from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { appendOutput } from '../outputs/output.ts'

let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway()
})
afterAll(() => slipway.close())

const body = { name: 'web-1', address: '192.0.2.7' }

async function makeNew(given: object = {}) {
  const team = await makeTeam(slipway.db)
  const { token } = team.admin
  const { server } = await slipway.ok(contract.createServer, { token, body: { ...body, ...given } })
  return { ...team, token, server, params: { id: server.id } }
}

test('trusts no upstream proxy until configured, and then updates its own proxy', async () => {
  const { server, token, params, member } = await makeNew()
  expect(server.trusted_proxies).toEqual([])
  const save = (trusted_proxies: string[], status?: number) =>
    status === undefined
      ? slipway.ok(contract.updateServer, { token, params, body: { trusted_proxies } })
      : slipway.refused(contract.updateServer, { token, params, body: { trusted_proxies } }, status)
  const syncs = async () => {
    const rows = await slipway.db
      .selectFrom('jobs')
      .select('id')
      .where('key', '=', `sync-proxy:${server.id}`)
      .execute()
    return rows.length
  }
  await save(['cloudflare', '10.0.0.0/8'])
  const { server: after } = await slipway.ok(contract.getServer, { token, params })
  expect(after.trusted_proxies).toEqual(['cloudflare', '10.0.0.0/8'])
  expect(await syncs()).toBe(1)
  for (const wrong of ['0.0.0.0/0', 'example.com', '10.0.0.0/8\n1']) await save([wrong], 422)
  const body = { trusted_proxies: [] }
  await slipway.refused(contract.updateServer, { token: member.token, params, body }, 403)
  await save([])
})

describe('a new server', () => {
  test('is pending until its key is added', async () => {
    const { server, workspace, token, params } = await makeNew({ labels: ['eu', 'eu', 'blue'] })
    expect(server).toMatchObject({
      ...body,
      kind: 'ssh',
      port: 22,
      user: 'root',
      labels: ['eu', 'blue'],
      status: 'pending',
      reason: 'Add the key to the server, then connect.',
      host_key: null,
      offered_host_key: null,
    })
    expect(await slipway.ok(contract.getServer, { token, params })).toEqual({ server })
    expect(await eventsOf(slipway.db, workspace)).toEqual(['server.created'])
  })

  test('has its own key pair with a sealed private key', async () => {
    const [one, other] = [await makeNew(), await makeNew()]
    const rows = await slipway.db
      .selectFrom('servers')
      .selectAll()
      .where('id', 'in', [one.server.id, other.server.id])
      .execute()
    expect(new Set(rows.map(({ public_key }) => public_key)).size).toBe(2)
    for (const { id, key_sealed } of rows) {
      expect(key_sealed).not.toMatch('PRIVATE KEY')
      expect(slipway.ctx.secrets.open(`servers.key_sealed:${id}`, key_sealed ?? '')).toMatch(
        'OPENSSH PRIVATE KEY',
      )
    }
  })

  test.each([
    ['a name of 300 characters', { name: 'x'.repeat(300) }, 'name'],
    ['a user with a command in it', { user: 'root; reboot' }, 'user'],
    ['a user that reads as an option', { user: '-oProxyCommand=id' }, 'user'],
    ['an address with a command in it', { address: '192.0.2.7$(id)' }, 'address'],
    ['an address that reads as an option', { address: '-oProxyCommand=id' }, 'address'],
    ['a port that there is not', { port: 65_536 }, 'port'],
    ['too many labels', { labels: Array.from({ length: 21 }, (_, n) => `l${n}`) }, 'labels'],
  ])('with %s is refused', async (_, given, field) => {
    const { admin } = await makeTeam(slipway.db)
    const got = await slipway.refused(
      contract.createServer,
      { token: admin.token, body: { ...body, ...given } },
      422,
    )
    expect(got.body).toMatchObject({ errors: { [field]: [expect.any(String)] } })
  })
})

describe('the command that adds the key', () => {
  const home = () => {
    const folder = mkdtempSync(join(tmpdir(), 'slipway-home-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    return folder
  }
  const lines = (folder: string) =>
    readFileSync(join(folder, '.ssh/authorized_keys'), 'utf8').split('\n').filter(Boolean)

  test.each(['dash', 'bash', 'busybox'])('does so once in %s, whatever the file contains', async (shell) => {
    const { token, params } = await makeNew()
    const { key } = await slipway.ok(contract.getServerKey, { token, params })
    expect(key.fingerprint).toMatch(/^SHA256:[\w+/]{43}$/)
    expect(key.command).not.toMatch('\n')
    const HOME = home()
    const args = shell === 'busybox' ? ['sh', '-c', key.command] : ['-c', key.command]
    const authorise = () => execFileSync(shell, args, { env: { PATH: process.env['PATH'], HOME } })
    authorise()
    authorise()
    expect(lines(HOME)).toEqual([key.public_key])
    expect(statSync(join(HOME, '.ssh')).mode & 0o777).toBe(0o700)
    const other = newKeyPair('other').publicKey.trim()
    writeFileSync(join(HOME, '.ssh/authorized_keys'), other)
    authorise()
    expect(lines(HOME)).toEqual([other, key.public_key])
    expect(statSync(join(HOME, '.ssh/authorized_keys')).mode & 0o777).toBe(0o600)
  })

  test('is not available for This machine', async () => {
    const { admin, workspace } = await makeTeam(slipway.db)
    await makeInstanceOwner(slipway.db, admin)
    const id = newId('server')
    await slipway.db
      .insertInto('servers')
      .values({ id, workspace_id: workspace, name: 'This machine', kind: 'local', status: 'ready' })
      .execute()
    onTestFinished(async () => void (await slipway.db.deleteFrom('servers').where('id', '=', id).execute()))
    const sent = { token: admin.token, params: { id } }
    await slipway.refused(contract.getServerKey, sent, 409, 'no_key')
    const fingerprint = { ...sent, body: { fingerprint: 'SHA256:x' } }
    await slipway.refused(contract.trustHostKey, fingerprint, 409, 'no_host_key')
    for (const change of [{ address: '192.0.2.8' }, { port: 23 }, { user: 'ada' }])
      await slipway.refused(contract.updateServer, { ...sent, body: change }, 422)
    const renamed = await slipway.ok(contract.updateServer, {
      ...sent,
      body: { name: 'Here', http_port: 8080 },
    })
    expect(renamed.server).toMatchObject({ name: 'Here', http_port: 8080, kind: 'local', address: null })
  })
})

describe('a change', () => {
  test('of name, labels and ports emits one event and changes nothing else', async () => {
    const { token, params, server, workspace } = await makeNew()
    const change = { name: 'web-2', labels: ['x'], http_port: 8080, https_port: 8443 }
    const { server: now } = await slipway.ok(contract.updateServer, { token, params, body: change })
    expect(now).toEqual({ ...server, ...change })
    await slipway.ok(contract.updateServer, { token, params, body: change })
    expect(await eventsOf(slipway.db, workspace)).toEqual(['server.created', 'server.updated'])
  })

  test('with equal proxy ports is refused', async () => {
    const { token, params } = await makeNew()
    const got = await slipway.refused(contract.updateServer, { token, params, body: { http_port: 443 } }, 422)
    expect(got.body).toMatchObject({ errors: { https_port: [expect.any(String)] } })
  })

  test.each([
    [{ http_port: 22 }, 'http_port'],
    [{ https_port: 22, name: 'web-9' }, 'https_port'],
    [{ port: 443 }, 'port'],
    [{ port: 8080, http_port: 8080 }, 'http_port'],
  ])('with the SSH port as proxy port is refused: %j', async (body, field) => {
    const { token, params, server } = await makeNew()
    const got = await slipway.refused(contract.updateServer, { token, params, body }, 422)
    expect(got.body).toMatchObject({ errors: { [field]: [expect.stringContaining('Must differ from')] } })
    expect(await slipway.ok(contract.getServer, { token, params })).toEqual({ server })
  })

  test('of another field ignores an existing port conflict', async () => {
    const { token, params, server } = await makeNew()
    await slipway.db.updateTable('servers').set({ port: 443 }).where('id', '=', server.id).execute()
    await slipway.ok(contract.updateServer, { token, params, body: { name: 'web-3' } })
    await slipway.ok(contract.updateServer, { token, params, body: { https_port: 8443 } })
  })

  test('of the connection is refused during setup', async () => {
    const { token, params, server } = await makeNew()
    await slipway.db
      .updateTable('servers')
      .set({ status: 'setting_up' })
      .where('id', '=', server.id)
      .execute()
    await slipway.refused(contract.updateServer, { token, params, body: { port: 23 } }, 409, 'setting_up')
    await slipway.ok(contract.updateServer, { token, params, body: { name: 'web-3' } })
  })

  test('without fields is refused', async () => {
    const { token, params } = await makeNew()
    await slipway.refused(contract.updateServer, { token, params, body: {} }, 422)
  })
})

test('does not find a server of another workspace', async () => {
  const { params } = await makeNew()
  const { owner } = await makeTeam(slipway.db)
  const sent = { token: owner.token, params }
  for (const endpoint of [
    contract.getServer,
    contract.deleteServer,
    contract.getServerKey,
    contract.connectServer,
  ])
    await slipway.refused(endpoint, sent, 404, 'not_found')
  await slipway.refused(contract.updateServer, { ...sent, body: { name: 'mine' } }, 404)
  await slipway.refused(contract.trustHostKey, { ...sent, body: { fingerprint: 'SHA256:x' } }, 404)
})

test('lists servers that need attention first, then by name', async () => {
  const { admin, workspace } = await makeTeam(slipway.db)
  for (const [name, status] of [
    ['b', 'ready'],
    ['a', 'ready'],
    ['d', 'unreachable'],
    ['e', 'pending'],
    ['c', 'failed'],
    ['f', 'setting_up'],
  ] as const)
    await slipway.db
      .insertInto('servers')
      .values({ id: newId('server'), workspace_id: workspace, name, status })
      .execute()
  const { servers } = await slipway.ok(contract.listServers, { token: admin.token })
  expect(servers.map(({ name }) => name)).toEqual(['c', 'd', 'f', 'e', 'a', 'b'])
})

test('deletes the output of a deleted server and of no other', async () => {
  const [mine, other] = [await makeNew(), await makeNew()]
  for (const { workspace: workspace_id, server } of [mine, other]) {
    const id = newId('setup')
    await slipway.db
      .insertInto('setups')
      .values({ id, workspace_id, server_id: server.id, status: 'completed', actor_name: 'Ada' })
      .execute()
    await appendOutput(slipway.ctx, slipway.db, workspace_id, id, [{ stream: 'stdout', text: 'hello' }])
  }
  await slipway.ok(contract.deleteServer, { token: mine.token, params: mine.params })
  await slipway.refused(contract.getServer, { token: mine.token, params: mine.params }, 404)
  await slipway.refused(contract.deleteServer, { token: mine.token, params: mine.params }, 404)
  const left = await slipway.db.selectFrom('outputs').select('workspace_id').execute()
  expect(left).toEqual([{ workspace_id: other.workspace }])
  expect(await eventsOf(slipway.db, mine.workspace)).toEqual(['server.created', 'server.deleted'])
})
