import { afterAll, expect, test } from 'vitest'
import * as instance from '../../../contract/instance.ts'
import * as contract from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeInstanceOwner,
  makeMember,
  makeServer,
  makeSomeone,
  makeTeam,
  makeWorkspace,
  nowhere,
} from '../../../test/support/factories/factories.ts'
import { fingerprint } from '../../../test/support/stages/fingerprint.ts'

const slipway = await startSlipway()
const { db, ctx } = slipway
afterAll(() => slipway.close())

test('keeps an instance owner among the owners of the workspace with the local server', async () => {
  const { workspace, owner: operator } = await makeTeam(db)
  const other = await makeSomeone(db, workspace, 'owner')
  const elsewhere = await makeSomeone(db, await makeWorkspace(db), 'owner')
  for (const one of [operator, elsewhere]) await makeInstanceOwner(db, one)
  const machine = await makeServer(ctx, workspace, nowhere(), { kind: 'local', status: 'unreachable' })
  const before = await fingerprint(db)
  for (const { token } of [other, operator]) {
    const demoted = { token, params: { id: operator.member }, body: { role: 'member' } }
    await slipway.refused(contract.changeRole, demoted, 409, 'last_operator')
    const removed = { token, body: { member_id: operator.member } }
    await slipway.refused(contract.removeMember, removed, 409, 'last_operator')
  }
  const by = { token: elsewhere.token, params: { id: operator.id } }
  for (const body of [{ instance_owner: false }, { locked: true }])
    await slipway.refused(instance.updateInstanceUser, { ...by, body }, 409, 'last_operator')
  const deleted = { ...by, body: { email: operator.email } }
  await slipway.refused(instance.deleteInstanceUser, deleted, 409, 'last_operator')
  expect(await fingerprint(db)).toEqual(before)

  const joined = await makeMember(db, workspace, elsewhere, 'owner')
  await slipway.ok(instance.updateInstanceUser, { ...by, body: { locked: true } })
  await slipway.refused(
    contract.removeMember,
    { token: other.token, body: { member_id: joined } },
    409,
    'last_operator',
  )
  await slipway.ok(contract.removeMember, { token: other.token, body: { member_id: operator.member } })
  await db.deleteFrom('servers').where('id', '=', machine).execute()
  await slipway.ok(contract.removeMember, { token: other.token, body: { member_id: joined } })
})
