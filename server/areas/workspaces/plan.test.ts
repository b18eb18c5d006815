import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { join } from '../../../contract/auth.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import * as contract from '../../../contract/servers.ts'
import * as workspaces from '../../../contract/workspaces.ts'
import {
  endTrial,
  makeSubscription,
  paidEnv,
  type plans,
} from '../../../test/support/factories/billing-factories.ts'
import { statuses } from '../../../test/support/clients/client.ts'
import { startSlipway, type TestSlipway } from '../../../test/support/stages/context.ts'
import {
  makeInvite,
  makeServer,
  makeSession,
  makeSomeone,
  makeUser,
  makeWorkspace,
  nowhere,
  password,
  unique,
} from '../../../test/support/factories/factories.ts'
import { countUsage } from './plan-limits.ts'

const url = expect.stringMatching(/^http:\/\/slipway\.test\/dashboard\/billing\/choose-plan\?workspace=wsp_/)
let slipway: TestSlipway
beforeAll(async () => {
  slipway = await startSlipway(paidEnv())
})
afterAll(() => slipway.close())

/** Creates a workspace with an owner on this plan, or on trial without one. */
async function makeYard(plan?: (typeof plans)[number]['id'], { db } = slipway) {
  const workspace = await makeWorkspace(db)
  const owner = await makeSomeone(db, workspace, 'owner')
  if (plan) await makeSubscription(db, workspace, { plan })
  return { workspace, token: owner.token }
}

const newServer = (token: string) => ({ token, body: { name: unique('web'), address: '192.0.2.9' } })
const newEmail = () => `${unique('guest')}@example.com`
const fill = async (workspace: Id<'workspace'>, servers: number) => {
  for (let n = 0; n < servers; n++) await makeServer(slipway.ctx, workspace, nowhere())
}
const usage = (workspace: Id<'workspace'>) => countUsage(slipway.db, workspace)

describe('server limit', () => {
  test('rejects a server beyond the limit of the plan and explains what to do', async () => {
    const { workspace, token } = await makeYard('hobby')
    await slipway.ok(contract.createServer, newServer(token))
    const got = await slipway.refused(contract.createServer, newServer(token), 402, 'plan_limit')
    expect(got.body).toEqual({
      error:
        'The plan Hobby allows 1 server, and this workspace has 1. Choose a larger plan, or delete a server.',
      code: 'plan_limit',
      url,
    })
    expect(await usage(workspace)).toMatchObject({ servers: 1 })
  })

  test('does not give the last place to two concurrent requests', async () => {
    const { workspace, token } = await makeYard('hobby')
    const calls = Array.from({ length: 6 }, () => slipway.call(contract.createServer.key, newServer(token)))
    expect(statuses(await Promise.all(calls))).toEqual([201, 402, 402, 402, 402, 402])
    expect(await usage(workspace)).toMatchObject({ servers: 1 })
  })

  test('keeps all servers when the plan allows fewer and rejects only new ones', async () => {
    const { workspace, token } = await makeYard('pro')
    await fill(workspace, 3)
    await makeSubscription(slipway.db, workspace, { plan: 'hobby' })
    const { servers } = await slipway.ok(contract.listServers, { token })
    expect(servers).toHaveLength(3)
    const [first] = servers
    const renamed = { token, params: { id: first?.id ?? '' }, body: { name: 'still-mine' } }
    await slipway.ok(contract.updateServer, renamed)
    const got = await slipway.refused(contract.createServer, newServer(token), 402, 'plan_limit')
    expect(got.text).toContain('allows 1 server, and this workspace has 3.')
    await slipway.db.deleteFrom('servers').where('workspace_id', '=', workspace).execute()
    await slipway.ok(contract.createServer, newServer(token))
  })

  test('does not count servers that are being destroyed', async () => {
    const { workspace, token } = await makeYard('hobby')
    await makeServer(slipway.ctx, workspace, nowhere(), { status: 'deleting' })
    await slipway.ok(contract.createServer, newServer(token))
  })

  test('does not count servers of other workspaces', async () => {
    const other = await makeYard('hobby')
    await fill(other.workspace, 1)
    const { token } = await makeYard('hobby')
    await slipway.ok(contract.createServer, newServer(token))
  })

  test('applies the first plan during the trial and no limit on an unlimited plan', async () => {
    const trial = await makeYard()
    await fill(trial.workspace, 10)
    const got = await slipway.refused(contract.createServer, newServer(trial.token), 402, 'plan_limit')
    expect(got.text).toContain('The trial allows 10 servers, and this workspace has 10.')
    await makeSubscription(slipway.db, trial.workspace, { plan: 'team' })
    await slipway.ok(contract.createServer, newServer(trial.token))
  })

  test('is not enforced without billing', async () => {
    const free = await startSlipway()
    try {
      const { token, workspace } = await makeYard('hobby', free)
      await endTrial(free.db, workspace)
      await free.ok(contract.createServer, newServer(token))
      await free.ok(contract.createServer, newServer(token))
    } finally {
      await free.close()
    }
  })
})

describe('member limit', () => {
  const invite = (token: string, email = newEmail()) => ({ token, body: { email } })

  test('counts members and pending invites, and one invite per address', async () => {
    const { workspace, token } = await makeYard('pro')
    const email = newEmail()
    for (const to of [email, newEmail(), newEmail(), newEmail()])
      await slipway.ok(workspaces.inviteMember, invite(token, to))
    const got = await slipway.refused(workspaces.inviteMember, invite(token), 402, 'plan_limit')
    expect(got.body).toMatchObject({
      error:
        'The plan Pro allows 5 members, and this workspace has 5, including pending invites. Choose a larger plan, remove a member, or revoke an invite.',
      url,
    })
    await slipway.ok(workspaces.inviteMember, invite(token, email))
    expect(await usage(workspace)).toMatchObject({ members: 5 })
  })

  test('does not give the last place to two concurrent invites', async () => {
    const { workspace, token } = await makeYard('pro')
    for (let n = 0; n < 3; n++) await makeSomeone(slipway.db, workspace, 'viewer')
    const calls = [1, 2, 3, 4].map(() => slipway.call(workspaces.inviteMember.key, invite(token)))
    expect(statuses(await Promise.all(calls))).toEqual([201, 402, 402, 402])
  })

  test('reserves a place for a pending invite but not for an expired one', async () => {
    const { workspace, token } = await makeYard('pro')
    for (let n = 0; n < 3; n++) await makeSomeone(slipway.db, workspace, 'viewer')
    await makeInvite(slipway.ctx, workspace, { email: newEmail(), expires: new Date(Date.now() - 1000) })
    const email = newEmail()
    await slipway.ok(workspaces.inviteMember, invite(token, email))
    const { invites } = await slipway.ok(workspaces.listInvites, { token })
    const link = new URL(invites[0]?.url ?? '').searchParams.get('token')
    await slipway.ok(join, { body: { token: link, email, password } })
    expect(await usage(workspace)).toMatchObject({ members: 5 })
  })

  test('rejects invitees after a downgrade and keeps their invite', async () => {
    const { workspace } = await makeYard('pro')
    const [email, user] = [newEmail(), await makeUser(slipway.db)]
    const ofGuest = await makeInvite(slipway.ctx, workspace, { email })
    const ofUser = await makeInvite(slipway.ctx, workspace, { email: user.email })
    await makeSubscription(slipway.db, workspace, { plan: 'hobby' })
    const body = { token: ofGuest.token, email, password }
    const got = await slipway.refused(join, { body }, 402, 'plan_limit')
    expect(got.body).toEqual({
      error:
        'This workspace has reached the member limit of its plan. Ask the person who invited you to make room. The invite stays valid.',
      code: 'plan_limit',
    })
    const { token } = await makeSession(slipway.db, user)
    const accept = { token, body: { token: ofUser.token } }
    await slipway.refused(workspaces.acceptInvite, accept, 402, 'plan_limit')
    expect(await usage(workspace)).toMatchObject({ members: 3 })
    await makeSubscription(slipway.db, workspace, { plan: 'pro' })
    await slipway.ok(join, { body })
    await slipway.ok(workspaces.acceptInvite, accept)
    expect(await usage(workspace)).toMatchObject({ members: 3 })
  })

  test('rejects joining a workspace without a plan and creates no account', async () => {
    const { workspace } = await makeYard()
    const email = newEmail()
    const { token } = await makeInvite(slipway.ctx, workspace, { email })
    await endTrial(slipway.db, workspace)
    const got = await slipway.refused(join, { body: { token, email, password } }, 402, 'no_plan')
    expect(got.text).toContain('This workspace has no active plan, so new members cannot join.')
    expect(await slipway.db.selectFrom('users').where('email', '=', email).selectAll().execute()).toEqual([])
  })

  test('allows removing members and revoking invites without a plan', async () => {
    const { workspace, token } = await makeYard()
    const guest = await makeSomeone(slipway.db, workspace, 'viewer')
    const { id } = await makeInvite(slipway.ctx, workspace, { email: newEmail() })
    await endTrial(slipway.db, workspace)
    await slipway.ok(workspaces.removeMember, { token, body: { member_id: guest.member } })
    await slipway.ok(workspaces.revokeInvite, { token, params: { id } })
    expect(await usage(workspace)).toMatchObject({ members: 1 })
  })
})
