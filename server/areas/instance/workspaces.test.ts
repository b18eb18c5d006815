import { afterAll, expect, test } from 'vitest'
import * as contract from '../../../contract/instance.ts'
import { listServers } from '../../../contract/servers.ts'
import {
  acceptInvite,
  changeWorkspace,
  getCurrentWorkspace,
  listWorkspaces,
  removeMember,
  updateWorkspace,
} from '../../../contract/workspaces.ts'
import { makeApplication } from '../../../test/support/factories/application-factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeInstanceOwner,
  makeInvite,
  makeMember,
  makeServer,
  makeSomeone,
  makeTeam,
  makeWorkspace,
  nowhere,
} from '../../../test/support/factories/factories.ts'

const slipway = await startSlipway()
const { db } = slipway
const operator = await makeSomeone(db, await makeWorkspace(db, 'Harbour'), 'owner')
await makeInstanceOwner(db, operator)
const { token } = operator
afterAll(() => slipway.close())

const lock = (id: string, locked: boolean) =>
  slipway.ok(contract.updateInstanceWorkspace, { token, params: { id }, body: { locked } })

test('allows only viewing, switching and leaving a locked workspace', async () => {
  const { workspace, owner, member, admin } = await makeTeam(db)
  const other = await makeWorkspace(db)
  await makeMember(db, other, owner, 'owner')
  const api = await makeApiToken(db, workspace, owner, { role: 'owner' })
  await lock(workspace, true)
  for (const who of [owner.token, member.token, api.token]) {
    const refused = await slipway.refused(listServers, { token: who }, 403, 'workspace_locked')
    expect(refused.text).toMatch(/keep running/)
    expect((await slipway.ok(getCurrentWorkspace, { token: who })).workspace.locked).toBe(true)
  }
  await slipway.refused(updateWorkspace, { token: owner.token, body: { name: 'x' } }, 403, 'workspace_locked')
  const body = { member_id: member.member }
  await slipway.refused(removeMember, { token: owner.token, body }, 403, 'workspace_locked')
  await slipway.ok(removeMember, { token: admin.token, body: { member_id: admin.member } })
  await slipway.ok(changeWorkspace, { token: owner.token, params: { id: other } })
  await slipway.ok(listServers, { token: owner.token })
  const { workspaces } = await slipway.ok(listWorkspaces, { token: owner.token })
  expect(workspaces.map(({ id, locked }) => [id, locked])).toContainEqual([workspace, true])
  await lock(workspace, false)
  await slipway.ok(listServers, { token: member.token })
})

test('rejects earlier invites to a locked workspace', async () => {
  const { workspace } = await makeTeam(db)
  const guest = await makeSomeone(db, await makeWorkspace(db), 'owner')
  const invite = await makeInvite(slipway.ctx, workspace, { email: guest.email })
  await lock(workspace, true)
  const body = { token: invite.token }
  await slipway.refused(acceptInvite, { token: guest.token, body }, 403, 'workspace_locked')
  await lock(workspace, false)
  await slipway.ok(acceptInvite, { token: guest.token, body })
})

test('lists all workspaces with their owners', async () => {
  const { workspace, owner } = await makeTeam(db)
  const { workspaces } = await slipway.ok(contract.listInstanceWorkspaces, {
    token,
    query: { q: owner.email },
  })
  expect(workspaces).toMatchObject([{ id: workspace, members: 4, owners: [{ email: owner.email }] }])
})

test('deletes a workspace by its typed name, and requires a lock when it has applications', async () => {
  const workspace = await makeWorkspace(db, 'Left behind')
  const server = await makeServer(slipway.ctx, workspace, nowhere())
  await makeApplication(db, workspace, server)
  const sent = { token, params: { id: workspace } }
  await slipway.refused(contract.deleteInstanceWorkspace, { ...sent, body: { name: 'x' } }, 422)
  const named = { ...sent, body: { name: 'Left behind' } }
  await slipway.refused(contract.deleteInstanceWorkspace, named, 409, 'workspace_has_applications')
  await slipway.ok(contract.updateInstanceWorkspace, { ...sent, body: { locked: true } })
  await slipway.ok(contract.deleteInstanceWorkspace, named)
  const { entries } = await slipway.ok(contract.listInstanceAudit, { token, query: { q: 'Left behind' } })
  expect(entries).toMatchObject([
    { type: 'workspace.deleted', actor: { id: operator.id } },
    { type: 'workspace.locked' },
  ])
})
