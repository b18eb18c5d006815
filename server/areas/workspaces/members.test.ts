import { afterAll, describe, expect, test } from 'vitest'
import { roles } from '../../../contract/shared/permissions.ts'
import { getUser } from '../../../contract/user.ts'
import * as contract from '../../../contract/workspaces.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeSomeone,
  makeTeam,
  makeWorkspace,
  type Someone,
} from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())

const remove = (by: Someone, whom: Someone) => ({ token: by.token, body: { member_id: whom.member } })
const change = (by: Someone, whom: Someone, role: string) => ({
  token: by.token,
  params: { id: whom.member },
  body: { role },
})

describe('members', () => {
  test('lets owners and admins remove members, who lose access immediately', async () => {
    const { owner, admin, member, viewer } = await makeTeam(slipway.db)
    await slipway.ok(contract.removeMember, remove(admin, viewer))
    await slipway.ok(contract.removeMember, remove(owner, admin))
    for (const deleted of [viewer, admin])
      await slipway.refused(contract.getCurrentWorkspace, { token: deleted.token }, 404, 'no_workspace')
    await slipway.ok(getUser, { token: viewer.token })
    const { members, page } = await slipway.ok(contract.listMembers, { token: member.token })
    expect(page.total).toBe(2)
    expect(members.map(({ email }) => email).toSorted()).toEqual([member.email, owner.email].toSorted())
  })

  test('rejects a removal by a member who was just removed', async () => {
    for (let round = 0; round < 10; round++) {
      const { owner, workspace } = await makeTeam(slipway.db)
      const other = await makeSomeone(slipway.db, workspace, 'owner')
      await makeSomeone(slipway.db, workspace, 'owner')
      const answers = await Promise.all([
        slipway.call('POST /v1/workspaces/members/remove', remove(owner, other)),
        slipway.call('POST /v1/workspaces/members/remove', remove(other, owner)),
      ])
      expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    }
  })

  test('shows two-factor status only to users who manage members', async () => {
    const { admin, viewer } = await makeTeam(slipway.db)
    const { members } = await slipway.ok(contract.listMembers, { token: viewer.token })
    expect(new Set(members.map(({ two_factor: on }) => on))).toEqual(new Set([null]))
    const seen = await slipway.ok(contract.listMembers, { token: admin.token })
    expect(new Set(seen.members.map(({ two_factor: on }) => on))).toEqual(new Set([false]))
  })

  test('allows members to leave but not to remove others', async () => {
    const { owner, member, viewer } = await makeTeam(slipway.db)
    const before = await fingerprint(slipway.db)
    await slipway.refused(contract.removeMember, remove(member, viewer), 403, 'forbidden')
    await slipway.refused(contract.removeMember, remove(viewer, owner), 403, 'forbidden')
    expect(await fingerprint(slipway.db)).toEqual(before)
    await slipway.ok(contract.removeMember, remove(viewer, viewer))
  })

  test('does not let admins change owners or create one', async () => {
    const { owner, admin, member } = await makeTeam(slipway.db)
    const before = await fingerprint(slipway.db)
    await slipway.refused(contract.removeMember, remove(admin, owner), 403, 'forbidden')
    await slipway.refused(contract.changeRole, change(admin, owner, 'viewer'), 403, 'forbidden')
    await slipway.refused(contract.changeRole, change(admin, member, 'owner'), 403, 'forbidden')
    await slipway.refused(contract.changeRole, change(admin, admin, 'owner'), 403, 'forbidden')
    const body = { email: 'guest@example.com', role: 'owner' }
    await slipway.refused(contract.inviteMember, { token: admin.token, body }, 403, 'forbidden')
    expect(await fingerprint(slipway.db)).toEqual(before)
    const { member: changed } = await slipway.ok(contract.changeRole, change(admin, member, 'admin'))
    expect(changed).toMatchObject({ id: member.member, role: 'admin' })
  })

  test('lets an API token of an admin remove members, except its own user', async () => {
    const { owner, admin, viewer, workspace } = await makeTeam(slipway.db)
    await makeSomeone(slipway.db, workspace, 'owner')
    for (const role of roles) {
      const { token } = await makeApiToken(slipway.db, workspace, owner, { role })
      const self = { token, body: { member_id: owner.member } }
      await slipway.refused(contract.removeMember, self, 403, 'session_needed')
    }
    const high = await makeApiToken(slipway.db, workspace, admin, { role: 'admin' })
    const body = { member_id: viewer.member }
    await slipway.refused(contract.removeMember, { token: high.token, body }, 403, 'session_needed')
  })

  test('applies a new role at the next call', async () => {
    const { owner, member } = await makeTeam(slipway.db)
    const rename = { token: member.token, body: { name: 'Renamed' } }
    await slipway.refused(contract.updateWorkspace, rename, 403)
    await slipway.ok(contract.changeRole, change(owner, member, 'admin'))
    await slipway.ok(contract.updateWorkspace, rename)
    await slipway.ok(contract.changeRole, change(owner, member, 'viewer'))
    await slipway.refused(contract.updateWorkspace, rename, 403)
  })
})

describe('the last owner', () => {
  test('cannot leave or give up the role', async () => {
    const { owner } = await makeTeam(slipway.db)
    await slipway.refused(contract.removeMember, remove(owner, owner), 409, 'last_owner')
    await slipway.refused(contract.changeRole, change(owner, owner, 'admin'), 409, 'last_owner')
  })

  const ways = {
    'both leave': (a: Someone, b: Someone) => [remove(a, a), remove(b, b)],
    'each removes the other': (a: Someone, b: Someone) => [remove(a, b), remove(b, a)],
    'both step down': (a: Someone, b: Someone) => [change(a, a, 'viewer'), change(b, b, 'viewer')],
    'each demotes the other': (a: Someone, b: Someone) => [change(a, b, 'viewer'), change(b, a, 'viewer')],
  }
  test.each(Object.entries(ways))('is kept when %s concurrently, twenty times', async (_, calls) => {
    for (let round = 0; round < 20; round++) {
      const workspace = await makeWorkspace(slipway.db)
      const [a, b] = [
        await makeSomeone(slipway.db, workspace, 'owner'),
        await makeSomeone(slipway.db, workspace, 'owner'),
      ]
      const answers = await Promise.all(
        calls(a, b).map((sent) =>
          slipway.call('params' in sent ? contract.changeRole.key : contract.removeMember.key, sent),
        ),
      )
      const owners = await slipway.db
        .selectFrom('members')
        .select('id')
        .where('workspace_id', '=', workspace)
        .where('role', '=', 'owner')
        .execute()
      expect(owners).toHaveLength(1)
      expect(statuses(answers)[0]).toBe(200)
      expect(statuses(answers)[1]).toBeGreaterThanOrEqual(403)
    }
  })
})
