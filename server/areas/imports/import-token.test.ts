import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/imports.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import { makeTeam } from '../../../test/support/factories/factories.ts'
import { hashToken } from '../../platform/tokens.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { jobs } from './area.ts'

let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway({ OUTBOUND_NETWORKS: '127.0.0.0/8' })
})
afterAll(() => slipway.close())

async function makeLine() {
  const team = await makeTeam(slipway.db)
  return { ...team, ...(await slipway.ok(contract.createImportToken, { token: team.admin.token, body: {} })) }
}

const hostKey = () => newKeyPair('root@web').publicKey
/** Nothing listens on this loopback port, so that the connection fails immediately. */
const post = (body: object) => slipway.call(contract.importServer.key, { body, address: '127.0.0.1' })
const report = (token: string, more: object = {}) => ({
  token,
  hostname: 'web',
  user: 'root',
  port: 1,
  host_keys: [hostKey()],
  addresses: [],
  ...more,
})

describe('an import command', () => {
  test('refers to a script that is valid for an hour', async () => {
    const { token, command, expires_at } = await makeLine()
    expect(command).toBe(
      `printf 'url = "%s"\\n' 'http://slipway.test/v1/import/server/${token}' | curl -sSL -K - | sh -s set-up`,
    )
    const minutes = (Date.parse(expires_at) - Date.now()) / 60_000
    expect(minutes).toBeGreaterThan(58)
    expect(minutes).toBeLessThanOrEqual(60)
  })

  test('returns a script that every shell can parse', async () => {
    const { token } = await makeLine()
    const got = await slipway.call(contract.getImportScript.key, { params: { token } })
    expect(got.status).toBe(200)
    expect(got.headers['content-type']).toBe('text/x-shellscript; charset=utf-8')
    expect(got.text).toMatch(/^#!\/bin\/sh\nslipway_url=/)
    for (const shell of [['dash'], ['bash', '--posix'], ['busybox', 'sh']]) {
      const [program = '', ...args] = shell
      execFileSync(program, [...args, '-n'], { input: got.text })
    }
  })

  test('stores neither its token nor the private key in plain text', async () => {
    const { token } = await makeLine()
    const row = await slipway.db
      .selectFrom('import_tokens')
      .selectAll()
      .where('token_hash', '=', hashToken(token))
      .executeTakeFirstOrThrow()
    expect(JSON.stringify(row)).not.toMatch(new RegExp(`${token}|PRIVATE KEY`))
    expect(row.public_key).toMatch(/^ssh-ed25519 /)
  })

  test('is refused for members', async () => {
    const { member } = await makeTeam(slipway.db)
    await slipway.refused(contract.createImportToken, { token: member.token, body: {} }, 403, 'forbidden')
  })
})

describe('a token', () => {
  const gone = {
    error: expect.stringMatching(/^This import command cannot be used/),
    code: 'import_token_invalid',
  }

  async function expectGone(token: string) {
    const got = await slipway.refused(contract.getImportScript, { params: { token } }, 404)
    expect(got.body).toEqual(gone)
    expect(await post(report(token))).toMatchObject({ status: 404, body: gone })
  }

  test('that does not exist is refused', async () => {
    await expectGone('imp_nobody-made-this')
    await expectGone('$(touch /tmp/owned)')
  })

  test('expires after an hour and is deleted', async () => {
    const { token } = await makeLine()
    const row = () => slipway.db.selectFrom('import_tokens').where('token_hash', '=', hashToken(token))
    await slipway.db
      .updateTable('import_tokens')
      .set({ expires_at: new Date(Date.now() - 1) })
      .where('token_hash', '=', hashToken(token))
      .execute()
    await expectGone(token)
    expect(await row().select('name').execute()).toHaveLength(1)
    const run = {
      id: 'job_1',
      attempt: 1,
      fence: 1,
      signal: new AbortController().signal,
      assertLease: async () => {},
    } as const
    await jobs[0]?.handle(slipway.ctx, {}, run)
    expect(await row().select('name').execute()).toEqual([])
  })

  test('can be used once, even concurrently', async () => {
    const { token, workspace } = await makeLine()
    const both = await Promise.all([post(report(token)), post(report(token))])
    expect(statuses(both)).toEqual([201, 404])
    await expectGone(token)
    const servers = await slipway.db
      .selectFrom('servers')
      .select('name')
      .where('workspace_id', '=', workspace)
      .execute()
    expect(servers).toEqual([{ name: 'web' }])
  })

  test('ends with the permission of its creator', async () => {
    const { token, admin, workspace } = await makeLine()
    await slipway.db.updateTable('members').set({ role: 'member' }).where('id', '=', admin.member).execute()
    await expectGone(token)
    const other = await makeLine()
    await slipway.db.deleteFrom('members').where('id', '=', other.admin.member).execute()
    await expectGone(other.token)
    expect(
      await slipway.db.selectFrom('servers').select('id').where('workspace_id', '=', workspace).execute(),
    ).toEqual([])
  })
})

describe('a report', () => {
  test.each([
    ['host_keys', { host_keys: ['ssh-ed25519 AAAA'] }],
    ['host_keys', { host_keys: ['ssh-dss AAAAB3NzaC1kc3M='] }],
    ['host_keys', { host_keys: [`ecdsa-sha2-nistp256 ${hostKey().split(' ')[1]}`] }],
    ['host_keys', { host_keys: [] }],
    ['user', { user: '$(id)' }],
    ['port', { port: 70_000 }],
  ])('is refused for its %s, and the token stays valid', async (field, wrong) => {
    const { token } = await makeLine()
    const got = await post(report(token, wrong))
    expect(got).toMatchObject({ status: 422, body: { errors: { [field]: [expect.any(String)] } } })
    expect((await post(report(token))).status).toBe(201)
  })

  test('is refused with the same messages as server settings', async () => {
    const { token } = await makeLine()
    expect(await post(report(token, { port: 70_000, user: '' }))).toMatchObject({
      status: 422,
      body: {
        errors: {
          port: ['Must be a port from 1 to 65535.'],
          user: ['Must be the name of a user on the server, such as root.'],
        },
      },
    })
  })

  test('pins each host key, best first, without its comment', async () => {
    const { token, workspace } = await makeLine()
    const [one, other] = [hostKey(), hostKey()]
    await post(
      report(token, { host_keys: [one, `${other} again`, one], addresses: ['198.51.100.300', 'x y'] }),
    )
    const { host_keys } = await slipway.db
      .selectFrom('servers')
      .select('host_keys')
      .where('workspace_id', '=', workspace)
      .executeTakeFirstOrThrow()
    const bare = (key: string) => key.split(' ').slice(0, 2).join(' ')
    expect(host_keys).toEqual([bare(one), bare(other)])
  })

  test('with an invalid host name or an address as host name numbers the server', async () => {
    const { token, workspace } = await makeLine()
    await post(report(token, { hostname: '\u202e', addresses: ['127.0.0.1'] }))
    const rows = await slipway.db
      .selectFrom('servers')
      .select('name')
      .where('workspace_id', '=', workspace)
      .execute()
    expect(rows).toEqual([{ name: 'server-1' }])
  })
})
