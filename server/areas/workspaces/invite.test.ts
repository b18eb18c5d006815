import { afterAll, describe, expect, test } from 'vitest'
import { join, logIn, readInvite } from '../../../contract/auth.ts'
import * as contract from '../../../contract/workspaces.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeInvite,
  makeSession,
  makeTeam,
  makeUser,
  password,
  unique,
} from '../../../test/support/factories/factories.ts'
import { newId } from '../../platform/ids.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const newEmail = () => `${unique('guest')}@example.com`
const tokenOf = (url: string | null) => new URL(url ?? '').searchParams.get('token') ?? ''

async function guest() {
  const user = await makeUser(slipway.db)
  const { token } = await makeSession(slipway.db, user)
  return { ...user, token }
}

describe('invites', () => {
  test('returns a link without mail that expires after seven days and assigns its role', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const email = newEmail()
    const sent = { token: owner.token, body: { email: email.toUpperCase(), role: 'viewer' } }
    const { invite, success } = await slipway.ok(contract.inviteMember, sent)
    expect(success).toBe(true)
    expect(invite).toMatchObject({ email, role: 'viewer', invited_by: owner.name })
    const days = (Date.parse(invite.expires_at) - Date.now()) / 86_400_000
    expect(days).toBeCloseTo(7, 1)
    await slipway.ok(join, { body: { token: tokenOf(invite.url), email, password } })
    const { access_token: token } = await slipway.ok(logIn, { body: { email, password } })
    const current = await slipway.ok(contract.getCurrentWorkspace, { token })
    expect(current.workspace).toMatchObject({ id: workspace, role: 'viewer' })
  })

  test('shows the link of an owner invite to owners only', async () => {
    const { owner, admin } = await makeTeam(slipway.db)
    const sent = { token: owner.token, body: { email: newEmail(), role: 'owner' } }
    const created = await slipway.ok(contract.inviteMember, sent)
    expect(created.invite.url).toContain('token=')
    const seen = await slipway.ok(contract.listInvites, { token: admin.token })
    expect(seen.invites).toMatchObject([{ role: 'owner', url: null }])
    const own = await slipway.ok(contract.listInvites, { token: owner.token })
    expect(own.invites).toMatchObject([{ url: created.invite.url }])
  })

  test('does not let an admin replace or revoke an owner invite', async () => {
    const { owner, admin } = await makeTeam(slipway.db)
    const email = newEmail()
    const { invite } = await slipway.ok(contract.inviteMember, {
      token: owner.token,
      body: { email, role: 'owner' },
    })
    const before = await fingerprint(slipway.db)
    for (const role of ['viewer', 'admin', 'owner'])
      await slipway.refused(contract.inviteMember, { token: admin.token, body: { email, role } }, 403)
    const named = { params: { id: invite.id } }
    await slipway.refused(contract.revokeInvite, { token: admin.token, ...named }, 403, 'forbidden')
    expect(await fingerprint(slipway.db)).toEqual(before)
    await slipway.ok(contract.revokeInvite, { token: owner.token, ...named })
  })

  test('assigns the member role by default', async () => {
    const { admin } = await makeTeam(slipway.db)
    const sent = { token: admin.token, body: { email: newEmail() } }
    expect((await slipway.ok(contract.inviteMember, sent)).invite.role).toBe('member')
  })

  test('sends at most a hundred invites an hour', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const event = {
      workspace_id: workspace,
      type: 'member.invited' as const,
      actor_name: 'Ada',
      via: 'session',
    }
    const rows = Array.from({ length: 100 }, () => ({ ...event, id: newId('event') }))
    await slipway.db.insertInto('events').values(rows).execute()
    const sent = { token: owner.token, body: { email: newEmail() } }
    await slipway.refused(contract.inviteMember, sent, 429, 'too_many')
  })

  test('shows invites and their links to owners and admins only', async () => {
    const { owner, admin, member, viewer, workspace } = await makeTeam(slipway.db)
    const { token } = await makeInvite(slipway.ctx, workspace, { email: newEmail() })
    for (const who of [owner, admin]) {
      const { invites } = await slipway.ok(contract.listInvites, { token: who.token })
      expect(invites.map(({ url }) => url)).toEqual([`http://slipway.test/join-workspace?token=${token}`])
    }
    for (const who of [member, viewer]) await slipway.refused(contract.listInvites, { token: who.token }, 403)
  })

  test('binds an invite to its address', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const stranger = await guest()
    const { token } = await makeInvite(slipway.ctx, workspace, { email: newEmail() })
    const before = await fingerprint(slipway.db)
    const accept = { token: stranger.token, body: { token } }
    await slipway.refused(contract.acceptInvite, accept, 404, 'invite_invalid')
    const body = { token, email: newEmail(), password }
    await slipway.refused(join, { body }, 404, 'invite_invalid')
    expect(await fingerprint(slipway.db)).toEqual(before)
  })

  test('rejects an expired or revoked invite', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const [late, early] = [await guest(), await guest()]
    const expires = new Date(Date.now() - 1000)
    const expired = await makeInvite(slipway.ctx, workspace, { email: late.email, expires })
    await slipway.refused(contract.acceptInvite, { token: late.token, body: { token: expired.token } }, 404)
    expect((await slipway.ok(contract.listInvites, { token: owner.token })).invites).toEqual([])
    const revoked = await makeInvite(slipway.ctx, workspace, { email: early.email })
    await slipway.ok(contract.revokeInvite, { token: owner.token, params: { id: revoked.id } })
    await slipway.refused(contract.acceptInvite, { token: early.token, body: { token: revoked.token } }, 404)
  })

  test('replaces an invite with a newer one for the same address', async () => {
    const { owner } = await makeTeam(slipway.db)
    const someone = await guest()
    const invite = (role: string) =>
      slipway.ok(contract.inviteMember, { token: owner.token, body: { email: someone.email, role } })
    const [old, fresh] = [await invite('viewer'), await invite('admin')]
    const accept = (url: string | null) => ({ token: someone.token, body: { token: tokenOf(url) } })
    await slipway.refused(contract.acceptInvite, accept(old.invite.url), 404)
    const { workspace } = await slipway.ok(contract.acceptInvite, accept(fresh.invite.url))
    expect(workspace.role).toBe('admin')
  })

  test('rejects an invite for an existing member', async () => {
    const { owner, member } = await makeTeam(slipway.db)
    const body = { email: member.email.toUpperCase() }
    await slipway.refused(contract.inviteMember, { token: owner.token, body }, 409, 'already_member')
  })
})

describe('reading an invite', () => {
  test('names the workspace, the inviter and the address to who has the link or the mail', async () => {
    const { owner } = await makeTeam(slipway.db)
    const email = newEmail()
    const { invite } = await slipway.ok(contract.inviteMember, { token: owner.token, body: { email } })
    const { workspace } = await slipway.ok(contract.getCurrentWorkspace, { token: owner.token })
    const expected = { invite: { workspace: workspace.name, invited_by: owner.name, email } }
    expect(await slipway.ok(readInvite, { body: { token: tokenOf(invite.url) } })).toEqual(expected)
    const { mailed } = await makeInvite(slipway.ctx, workspace.id, { email: newEmail() })
    await slipway.ok(readInvite, { body: { token: mailed } })
  })

  test('tells nothing about a used, revoked, expired or unknown invite', async () => {
    const { owner, workspace } = await makeTeam(slipway.db)
    const read = (token: string, code: string) => slipway.refused(readInvite, { body: { token } }, 404, code)
    const email = newEmail()
    const used = await makeInvite(slipway.ctx, workspace, { email })
    await slipway.ok(join, { body: { token: used.token, email, password } })
    const revoked = await makeInvite(slipway.ctx, workspace, { email: newEmail() })
    await slipway.ok(contract.revokeInvite, { token: owner.token, params: { id: revoked.id } })
    const answers = [used.token, revoked.token, 'inv_unknown'].map((token) => read(token, 'invite_invalid'))
    const [first, ...rest] = (await Promise.all(answers)).map(({ text }) => text)
    expect(new Set(rest)).toEqual(new Set([first]))
    const expires = new Date(Date.now() - 1000)
    const expired = await makeInvite(slipway.ctx, workspace, { email: newEmail(), expires })
    const { text } = await read(expired.token, 'invite_expired')
    for (const secret of [owner.name, '@example.com']) expect(text).not.toContain(secret)
  })
})

describe('accepting an invite', () => {
  test('adds the user as a member once and switches to the workspace', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const someone = await guest()
    const invite = await makeInvite(slipway.ctx, workspace, { email: someone.email, role: 'member' })
    const accept = { token: someone.token, body: { token: invite.token } }
    expect(await slipway.ok(contract.acceptInvite, accept)).toMatchObject({
      success: true,
      workspace: { id: workspace, role: 'member' },
    })
    const current = await slipway.ok(contract.getCurrentWorkspace, { token: someone.token })
    expect(current.workspace.id).toBe(workspace)
    await slipway.refused(contract.acceptInvite, accept, 404, 'invite_invalid')
  })

  test('accepts one of many concurrent requests', async () => {
    for (let round = 0; round < 5; round++) {
      const { workspace } = await makeTeam(slipway.db)
      const someone = await guest()
      const invite = await makeInvite(slipway.ctx, workspace, { email: someone.email })
      const accept = { token: someone.token, body: { token: invite.token } }
      const all = await Promise.all([1, 2, 3].map(() => slipway.call(contract.acceptInvite.key, accept)))
      expect(statuses(all)).toEqual([200, 404, 404])
    }
  })

  test('creates one account and one member from concurrent joins', async () => {
    const { workspace, owner } = await makeTeam(slipway.db)
    const email = newEmail()
    const { token } = await makeInvite(slipway.ctx, workspace, { email })
    const body = { token, email, password }
    const all = await Promise.all([1, 2, 3].map(() => slipway.call(join.key, { body })))
    expect(all.filter(({ status }) => status === 200)).toHaveLength(1)
    expect((await slipway.ok(contract.listMembers, { token: owner.token })).page.total).toBe(5)
  })
})

describe('joining with an invite', () => {
  test('requires the password of an existing account', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const { email } = await makeUser(slipway.db)
    const { token } = await makeInvite(slipway.ctx, workspace, { email })
    const wrong = { token, email, password: 'not the password' }
    await slipway.refused(join, { body: wrong }, 401, 'wrong_credentials')
    await slipway.ok(join, { body: { token, email: email.toUpperCase(), password } })
  })

  test('rejects a weak password for a new account and keeps the invite valid', async () => {
    const { workspace } = await makeTeam(slipway.db)
    const email = newEmail()
    const { token } = await makeInvite(slipway.ctx, workspace, { email })
    const before = await fingerprint(slipway.db)
    for (const weak of ['short', '1234567890'])
      await slipway.refused(join, { body: { token, email, password: weak } }, 422)
    expect(await fingerprint(slipway.db)).toEqual(before)
    await slipway.ok(join, { body: { token, email, password } })
  })
})
