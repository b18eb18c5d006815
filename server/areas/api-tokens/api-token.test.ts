import { afterAll, describe, expect, test, vi } from 'vitest'
import { listActivity } from '../../../contract/user.ts'
import * as contract from '../../../contract/api-tokens.ts'
import { createWorkspace, listWorkspaces, changeRole, removeMember } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import {
  makeMember,
  makeServer,
  makeTeam,
  makeWorkspace,
  nowhere,
} from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const read = async (token: string, path = 'GET /v1/user' as const) =>
  (await slipway.call(path, { token })).status
const mayRename = async (token: string) =>
  (await slipway.call('PUT /v1/workspaces/current', { token, body: { name: 'Renamed' } })).status

describe('API tokens', () => {
  test('shows the token once, accepts it immediately and rejects it once deleted', async () => {
    const { owner } = await makeTeam(slipway.db)
    const made = await slipway.ok(contract.createApiToken, { token: owner.token, body: { name: 'ci' } })
    expect(made.token).toMatch(/^slt_[\w-]{43}$/)
    expect(made.api_token).toMatchObject({ name: 'ci', role: 'owner', expires_at: null, last_used_at: null })
    expect(await read(made.token)).toBe(200)
    const listed = await slipway.call('GET /v1/api-tokens', { token: owner.token })
    expect(listed.text).toContain(made.api_token.id)
    expect(listed.text).not.toContain(made.token.slice(4, 20))
    await slipway.ok(contract.revokeApiToken, { token: owner.token, params: { id: made.api_token.id } })
    expect(await read(made.token)).toBe(401)
  })

  test('limits a token to its role and the role of its owner, even after a demotion', async () => {
    const { owner, admin } = await makeTeam(slipway.db)
    const make = async (role: 'admin' | 'viewer') =>
      (
        await slipway.ok(contract.createApiToken, {
          token: admin.token,
          body: { name: 'ci', role, scope: 'manage' },
        })
      ).token
    const [high, low] = [await make('admin'), await make('viewer')]
    const above = { token: admin.token, body: { name: 'ci', role: 'owner' } }
    const got = await slipway.refused(contract.createApiToken, above, 422)
    expect(got.body).toEqual({ errors: { role: ['Must not be higher than your own role.'] } })
    expect([await mayRename(high), await mayRename(low)]).toEqual([200, 403])
    const demote = { token: owner.token, params: { id: admin.member }, body: { role: 'viewer' } }
    await slipway.ok(changeRole, demote)
    expect([await mayRename(high), await mayRename(low)]).toEqual([403, 403])
    await slipway.ok(changeRole, { ...demote, body: { role: 'admin' } })
    expect(await mayRename(high)).toBe(200)
  })

  test('rejects an expired token and an expiry date in the past', async () => {
    const { owner } = await makeTeam(slipway.db)
    const made = await slipway.ok(contract.createApiToken, {
      token: owner.token,
      body: { name: 'ci', expires_at: new Date(Date.now() + 60_000).toISOString() },
    })
    expect(await read(made.token)).toBe(200)
    const expires_at = new Date(Date.now() - 1000)
    await slipway.db
      .updateTable('api_tokens')
      .set({ expires_at })
      .where('id', '=', made.api_token.id)
      .execute()
    // The database notifies another process.
    await vi.waitFor(async () => expect(await read(made.token)).toBe(401))
    const body = { name: 'ci', expires_at: '2020-01-01T00:00:00Z' }
    const got = await slipway.refused(contract.createApiToken, { token: owner.token, body }, 422)
    expect(got.body).toEqual({ errors: { expires_at: ['The expiry must be in the future.'] } })
  })

  test('revokes the token when its owner loses the membership', async () => {
    const { owner, member } = await makeTeam(slipway.db)
    const made = await slipway.ok(contract.createApiToken, { token: member.token, body: { name: 'ci' } })
    await slipway.ok(removeMember, { token: owner.token, body: { member_id: member.member } })
    expect(await read(made.token)).toBe(401)
  })

  test('defaults to the read-only scope', async () => {
    const { owner } = await makeTeam(slipway.db)
    const create = async (body: object) =>
      slipway.ok(contract.createApiToken, { token: owner.token, body: { name: 'ci', ...body } })
    const [least, most] = [await create({}), await create({ scope: 'manage' })]
    expect(least.api_token).toMatchObject({ scope: 'read', projects: null, applications: null })
    expect(await read(least.token)).toBe(200)
    expect([await mayRename(least.token), await mayRename(most.token)]).toEqual([403, 200])
  })

  test('limits a token to projects or applications of its workspace', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const server = await makeServer(slipway.ctx, workspace, nowhere())
    const application = await makeApplication(slipway.db, workspace, server, { name: 'Shop' })
    const create = (body: object) => ({ token: owner.token, body: { name: 'ci', ...body } })
    const made = await slipway.ok(contract.createApiToken, create({ applications: [application] }))
    expect(made.api_token.applications).toEqual([{ id: application, name: 'Shop' }])
    for (const body of [
      { applications: ['app_none'] },
      { projects: ['prj_none'] },
      { projects: [] },
      { projects: ['prj_none'], applications: [application] },
    ])
      await slipway.refused(contract.createApiToken, create(body), 422)
    const stranger = await makeTeam(slipway.db)
    const theirs = { ...create({ applications: [application] }), token: stranger.owner.token }
    await slipway.refused(contract.createApiToken, theirs, 422)
    await slipway.db.deleteFrom('applications').where('id', '=', application).execute()
    const { api_tokens } = await slipway.ok(contract.listApiTokens, { token: owner.token })
    expect(api_tokens).toMatchObject([{ applications: [] }])
    const got = await slipway.call('GET /v1/applications', { token: made.token })
    expect(got.body).toMatchObject({ applications: [] })
  })

  test('lets workspace owners list and revoke the tokens of all members', async () => {
    const { owner, admin, member } = await makeTeam(slipway.db)
    const body = { name: 'ci', scope: 'deploy' }
    const made = await slipway.ok(contract.createApiToken, { token: member.token, body })
    const { api_tokens } = await slipway.ok(contract.listWorkspaceApiTokens, { token: owner.token })
    expect(api_tokens).toMatchObject([{ id: made.api_token.id, scope: 'deploy', user: { id: member.id } }])
    await slipway.refused(contract.listWorkspaceApiTokens, { token: admin.token }, 403, 'forbidden')
    const params = { id: made.api_token.id }
    await slipway.refused(contract.revokeApiToken, { token: admin.token, params }, 404)
    await slipway.ok(contract.revokeApiToken, { token: owner.token, params })
    expect(await read(made.token)).toBe(401)
    const { events } = await slipway.ok(listActivity, { token: member.token })
    expect(events[0]).toMatchObject({ type: 'api_token.revoked', via: 'member', address: null })
  })

  test('binds a token to one user and one workspace', async () => {
    const { owner, admin } = await makeTeam(slipway.db)
    const made = await slipway.ok(contract.createApiToken, { token: owner.token, body: { name: 'ci' } })
    expect((await slipway.ok(contract.listApiTokens, { token: admin.token })).api_tokens).toEqual([])
    const params = { id: made.api_token.id }
    await slipway.refused(contract.revokeApiToken, { token: admin.token, params }, 404, 'not_found')
    await makeMember(slipway.db, await makeWorkspace(slipway.db), owner, 'owner')
    expect((await slipway.ok(listWorkspaces, { token: owner.token })).workspaces).toHaveLength(2)
    expect((await slipway.ok(listWorkspaces, { token: made.token })).workspaces).toHaveLength(1)
  })

  test('records when a token was last used', async () => {
    const { owner } = await makeTeam(slipway.db)
    const made = await slipway.ok(contract.createApiToken, { token: owner.token, body: { name: 'ci' } })
    await read(made.token)
    await vi.waitFor(async () => {
      const { api_tokens } = await slipway.ok(contract.listApiTokens, { token: owner.token })
      expect(Date.parse(api_tokens[0]?.last_used_at ?? '')).toBeGreaterThan(Date.now() - 60_000)
    })
  })
})

describe('Idempotency-Key', () => {
  const keyed = (token: string, key: string, name = 'ci') => ({
    token,
    body: { name },
    headers: { 'idempotency-key': key },
  })

  test('returns the first response again and creates nothing', async () => {
    const { owner } = await makeTeam(slipway.db)
    const first = await slipway.ok(contract.createApiToken, keyed(owner.token, 'one'))
    expect(await slipway.ok(contract.createApiToken, keyed(owner.token, 'one'))).toEqual(first)
    expect((await slipway.ok(contract.listApiTokens, { token: owner.token })).api_tokens).toHaveLength(1)
    expect(await slipway.ok(contract.createApiToken, keyed(owner.token, 'two'))).not.toEqual(first)
  })

  test('creates one object for many concurrent requests', async () => {
    const { owner } = await makeTeam(slipway.db)
    const sent = keyed(owner.token, 'many')
    const all = await Promise.all(Array.from({ length: 8 }, () => slipway.call('POST /v1/api-tokens', sent)))
    const made = all.filter(({ status }) => status === 201)
    expect(new Set(made.map(({ text }) => text)).size).toBe(1)
    expect(all.filter(({ status }) => status !== 201).map(({ status }) => status)).toEqual(
      Array(8 - made.length).fill(409),
    )
    expect((await slipway.ok(contract.listApiTokens, { token: owner.token })).api_tokens).toHaveLength(1)
  })

  test('rejects a key reused for another request, and separates keys by user', async () => {
    const { owner, admin } = await makeTeam(slipway.db)
    const first = await slipway.ok(contract.createApiToken, keyed(owner.token, 'mine'))
    const other = keyed(owner.token, 'mine', 'other')
    await slipway.refused(contract.createApiToken, other, 409, 'idempotency_key_reused')
    expect(await slipway.ok(contract.createApiToken, keyed(admin.token, 'mine'))).not.toEqual(first)
  })

  test('releases the key when the request fails', async () => {
    const { admin } = await makeTeam(slipway.db)
    const sent = keyed(admin.token, 'again')
    await slipway.refused(contract.createApiToken, { ...sent, body: { name: 'ci', role: 'owner' } }, 422)
    await slipway.ok(contract.createApiToken, sent)
  })

  test('rejects a key that is too long', async () => {
    const { owner } = await makeTeam(slipway.db)
    await slipway.refused(contract.createApiToken, keyed(owner.token, 'x'.repeat(256)), 422)
  })

  test('creates one workspace even though creation switches the current workspace', async () => {
    const { owner } = await makeTeam(slipway.db)
    const first = await slipway.ok(createWorkspace, keyed(owner.token, 'yard', 'Second yard'))
    expect(await slipway.ok(createWorkspace, keyed(owner.token, 'yard', 'Second yard'))).toEqual(first)
    expect((await slipway.ok(listWorkspaces, { token: owner.token })).workspaces).toHaveLength(2)
  })
})
