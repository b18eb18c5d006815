import { afterAll, beforeEach, describe, expect, test } from 'vitest'
import * as contract from '../../../contract/workspaces.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeInvite,
  makeMember,
  makeSomeone,
  makeTeam,
  makeWorkspace,
  unique,
} from '../../../test/support/factories/factories.ts'
import { storeSetting } from '../../settings.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
beforeEach(async () => {
  await slipway.db.deleteFrom('sent_invites').execute()
  await slipway.db.deleteFrom('instance_settings').execute()
  slipway.ctx.settingsCache.clear()
})

async function allow(
  name: 'invites_per_user_per_day' | 'invites_per_instance_per_day' | 'workspaces_per_user',
  most: number,
) {
  await storeSetting(slipway.ctx, slipway.db, name, most)
  slipway.ctx.settingsCache.clear()
}
const email = () => `${unique('guest')}@example.com`
const invite = (token: string, to = email()) => ({ token, body: { email: to } })

describe('invite limits', () => {
  test('limits invites per user and day, counting resends', async () => {
    const { owner, admin } = await makeTeam(slipway.db)
    await allow('invites_per_user_per_day', 3)
    const to = email()
    for (let n = 0; n < 3; n++) await slipway.ok(contract.inviteMember, invite(owner.token, to))
    const got = await slipway.refused(contract.inviteMember, invite(owner.token), 429, 'too_many_invites')
    expect(got.text).toContain('You have sent 3 invites within 24 hours')
    expect(got.text).toContain('Try again in 24 hours.')
    expect(Number(got.headers['retry-after'])).toBeGreaterThan(86_000)
    await slipway.ok(contract.inviteMember, invite(admin.token))
    await slipway.ctx.pool.query("update sent_invites set sent_at = sent_at - interval '25 hours'")
    await slipway.ok(contract.inviteMember, invite(owner.token))
  })

  test('limits invites per user across workspaces, including new ones', async () => {
    const { owner } = await makeTeam(slipway.db)
    await allow('invites_per_user_per_day', 1)
    await slipway.ok(contract.inviteMember, invite(owner.token))
    await slipway.ok(contract.createWorkspace, { token: owner.token, body: { name: 'Another' } })
    await slipway.refused(contract.inviteMember, invite(owner.token), 429, 'too_many_invites')
  })

  test('limits invites for the whole instance', async () => {
    const [one, other] = [await makeTeam(slipway.db), await makeTeam(slipway.db)]
    await allow('invites_per_instance_per_day', 2)
    for (const { owner } of [one, other]) await slipway.ok(contract.inviteMember, invite(owner.token))
    const got = await slipway.refused(contract.inviteMember, invite(one.admin.token), 429)
    expect(got.text).toContain('This instance has sent 2 invites within 24 hours')
  })

  test('allows no more concurrent invites than sequential ones', async () => {
    const { owner } = await makeTeam(slipway.db)
    await allow('invites_per_user_per_day', 2)
    const all = await Promise.all(
      [1, 2, 3, 4].map(() => slipway.call(contract.inviteMember.key, invite(owner.token))),
    )
    expect(statuses(all).filter((status) => status === 429)).toHaveLength(2)
  })

  test('does not count invites rejected for another reason', async () => {
    const { owner, member } = await makeTeam(slipway.db)
    await slipway.refused(contract.inviteMember, invite(owner.token, member.email), 409, 'already_member')
    expect(await slipway.db.selectFrom('sent_invites').selectAll().execute()).toEqual([])
  })
})

describe('workspace limits', () => {
  const create = (token: string) => ({ token, body: { name: unique('Yard') } })

  test('allows five owned workspaces per user, or more if the instance allows it', async () => {
    const { owner, member } = await makeTeam(slipway.db)
    for (let n = 0; n < 4; n++) await slipway.ok(contract.createWorkspace, create(owner.token))
    const got = await slipway.refused(
      contract.createWorkspace,
      create(owner.token),
      409,
      'too_many_workspaces',
    )
    expect(got.text).toContain('You own 5 workspaces, and the limit is 5')
    await slipway.ok(contract.createWorkspace, create(member.token))
    await allow('workspaces_per_user', 6)
    await slipway.ok(contract.createWorkspace, create(owner.token))
  })

  test('does not count workspaces of other users', async () => {
    const { owner } = await makeTeam(slipway.db)
    for (let n = 0; n < 6; n++) await makeMember(slipway.db, await makeWorkspace(slipway.db), owner, 'admin')
    await slipway.ok(contract.createWorkspace, create(owner.token))
  })

  test('does not raise the limit by becoming an owner of workspaces others created', async () => {
    await allow('workspaces_per_user', 1)
    const { owner, member, workspace } = await makeTeam(slipway.db)
    const busy = await makeSomeone(slipway.db, await makeWorkspace(slipway.db), 'owner')
    const id = await makeMember(slipway.db, workspace, busy, 'member')
    const sent = { token: owner.token, body: { role: 'owner' } }
    const changed = { ...sent, params: { id } }
    const got = await slipway.refused(contract.changeRole, changed, 409, 'too_many_workspaces')
    expect(got.text).toContain('owns 1 workspace, and the limit is 1')
    await slipway.ok(contract.changeRole, { ...sent, params: { id: member.member } })
    const other = await makeTeam(slipway.db)
    const { token } = await makeInvite(slipway.ctx, other.workspace, { email: busy.email, role: 'owner' })
    const join = { token: busy.token, body: { token } }
    await slipway.refused(contract.acceptInvite, join, 409, 'too_many_workspaces')
    await allow('workspaces_per_user', 2)
    await slipway.ok(contract.acceptInvite, join)
  })

  test('allows no more concurrent creations than sequential ones', async () => {
    const { owner } = await makeTeam(slipway.db)
    await allow('workspaces_per_user', 2)
    const all = await Promise.all(
      [1, 2, 3].map(() => slipway.call(contract.createWorkspace.key, create(owner.token))),
    )
    expect(all.filter(({ status }) => status === 409)).toHaveLength(2)
  })
})
