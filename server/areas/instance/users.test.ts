import { afterAll, describe, expect, test } from 'vitest'
import { listAudit } from '../../../contract/audit.ts'
import { join, logIn } from '../../../contract/auth.ts'
import { createImportToken, importServer } from '../../../contract/imports.ts'
import * as contract from '../../../contract/instance.ts'
import { streamLive } from '../../../contract/live.ts'
import { getUser } from '../../../contract/user.ts'
import { deleteWorkspace } from '../../../contract/workspaces.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import {
  makeApiToken,
  makeInstanceOwner,
  makeInvite,
  makeMember,
  makeSomeone,
  makeTeam,
  makeUser,
  makeWorkspace,
  password,
} from '../../../test/support/factories/factories.ts'
import { openStream } from '../../../test/support/clients/streams.ts'
import { newKeyPair } from '../../remote/ssh/key-pair.ts'
import { changeInstanceOwner } from './users.ts'

const slipway = await startSlipway()
const { db, ctx } = slipway
const workspace = await makeWorkspace(db, 'Harbour')
const operator = await makeSomeone(db, workspace, 'owner')
await makeInstanceOwner(db, operator)
const { token } = operator
afterAll(() => slipway.close())

const someone = async () => makeSomeone(db, await makeWorkspace(db), 'owner')
const update = (id: string, body: object, by = token) =>
  slipway.call(contract.updateInstanceUser.key, { token: by, params: { id }, body })
const typesFor = async (id: string) =>
  (await slipway.ok(contract.listInstanceAudit, { token })).entries
    .filter((entry) => entry.target?.id === id)
    .map(({ type }) => type)

test('lists users by email address and finds them by name or address', async () => {
  const grace = await makeUser(db, { name: 'Grace Hopper', email: 'grace@navy.example' })
  const { users } = await slipway.ok(contract.listInstanceUsers, { token, query: { q: 'HOPPER' } })
  expect(users).toMatchObject([
    { id: grace.id, email: 'grace@navy.example', workspaces: [], locked_at: null },
  ])
  const first = await slipway.ok(contract.listInstanceUsers, { token, query: { limit: '1' } })
  expect(first.users).toHaveLength(1)
  expect(first.page).toMatchObject({ next: expect.any(String) })
  const mine = await slipway.ok(contract.listInstanceUsers, { token, query: { q: operator.email } })
  expect(mine.users).toMatchObject([
    { instance_owner: true, sessions: 1, workspaces: [{ name: 'Harbour', role: 'owner' }] },
  ])
})

describe('locking a user', () => {
  test('rejects sessions, API tokens and logins and ends streams until unlocked', async () => {
    const url = await slipway.listen()
    const there = await makeWorkspace(db)
    const mallory = await makeSomeone(db, there, 'owner')
    const api = await makeApiToken(db, there, mallory, { role: 'owner' })
    const headers = { authorization: `Bearer ${mallory.token}` }
    const stream = await openStream(`${url}${streamLive.path}`, headers)
    await stream.event('connected')
    expect(await update(mallory.id, { locked: true })).toMatchObject({ status: 200 })
    for (const dead of [mallory.token, api.token])
      await slipway.refused(getUser, { token: dead }, 401, 'unauthenticated')
    await slipway.refused(logIn, { body: { email: mallory.email, password } }, 403, 'account_locked')
    await stream.untilEnded()
    await update(mallory.id, { locked: false })
    await slipway.refused(getUser, { token: mallory.token }, 401, 'unauthenticated')
    await slipway.ok(getUser, { token: api.token })
    await slipway.ok(logIn, { body: { email: mallory.email, password } })
    expect(await typesFor(mallory.id)).toEqual(['user.unlocked', 'user.locked'])
  })

  test('rejects joining a workspace and import commands of the locked user', async () => {
    const mallory = await someone()
    const line = await slipway.ok(createImportToken, { token: mallory.token, body: {} })
    const invite = await makeInvite(ctx, workspace, { email: mallory.email })
    await update(mallory.id, { locked: true })
    const body = { token: invite.token, email: mallory.email, password }
    await slipway.refused(join, { body }, 403, 'account_locked')
    const got = await slipway.call(importServer.key, {
      body: {
        token: line.token,
        hostname: 'web',
        user: 'root',
        port: 1,
        host_keys: [newKeyPair('root@web').publicKey],
        addresses: [],
      },
    })
    expect(got).toMatchObject({ status: 404, body: { code: 'import_token_invalid' } })
  })

  test('does not reveal a locked account without the password', async () => {
    const mallory = await someone()
    await update(mallory.id, { locked: true })
    await slipway.refused(logIn, { body: { email: mallory.email, password: 'wrong password' } }, 401)
  })
})

test('deletes sessions and API tokens permanently when access is revoked', async () => {
  const there = await makeWorkspace(db)
  const ada = await makeSomeone(db, there, 'member')
  const api = await makeApiToken(db, there, ada, { role: 'member' })
  await slipway.ok(contract.endInstanceUserAccess, { token, params: { id: ada.id } })
  for (const dead of [ada.token, api.token]) await slipway.refused(getUser, { token: dead }, 401)
  const owner = await makeSomeone(db, there, 'owner')
  const [entry] = (await slipway.ok(listAudit, { token: owner.token })).entries
  expect(entry).toMatchObject({
    type: 'api_token.revoked',
    actor: { name: 'Slipway' },
    target: { id: api.id, name: 'ci' },
    detail: 'at the request of the operator of this instance',
    address: null,
  })
  await slipway.ok(logIn, { body: { email: ada.email, password } })
})

describe('deleting a user', () => {
  const remove = (id: string, email: string) =>
    slipway.call(contract.deleteInstanceUser.key, { token, params: { id }, body: { email } })

  test('is rejected for the last owner of a workspace, which is named', async () => {
    const there = await makeWorkspace(db, 'Drydock')
    const ada = await makeSomeone(db, there, 'owner')
    const got = await remove(ada.id, ada.email)
    expect(got).toMatchObject({ status: 409, body: { code: 'last_owner' } })
    expect(got.text).toContain('Drydock')
    await makeMember(db, there, await makeUser(db), 'owner')
    expect(await remove(ada.id, 'other@example.com')).toMatchObject({ status: 422 })
    expect(await remove(ada.id, ada.email)).toMatchObject({ status: 200 })
    await slipway.refused(getUser, { token: ada.token }, 401)
    expect(await typesFor(ada.id)).toEqual(['user.deleted'])
  })

  test('is rejected for the own account', async () => {
    expect(await remove(operator.id, operator.email)).toMatchObject({
      status: 409,
      body: { code: 'own_account' },
    })
  })
})

describe('instance owners', () => {
  test('are added and removed by others, never by themselves', async () => {
    const ada = await someone()
    await slipway.refused(contract.getInstance, { token: ada.token }, 403, 'forbidden')
    await update(ada.id, { instance_owner: true })
    await slipway.ok(contract.getInstance, { token: ada.token })
    for (const change of [{ instance_owner: false }, { locked: true }])
      expect(await update(ada.id, change, ada.token)).toMatchObject({
        status: 409,
        body: { code: 'own_account' },
      })
    await update(ada.id, { instance_owner: false })
    await slipway.refused(contract.getInstance, { token: ada.token }, 403, 'forbidden')
    expect(await typesFor(ada.id)).toEqual(['instance_owner.revoked', 'instance_owner.granted'])
  })

  test('keeps one of two who remove each other concurrently', async () => {
    const other = await startSlipway()
    try {
      const [ada, grace] = await Promise.all(
        ['ada', 'grace'].map(async () => {
          const { owner } = await makeTeam(other.db)
          await makeInstanceOwner(other.db, owner)
          return owner
        }),
      )
      if (!ada || !grace) throw new Error('There are two.')
      const pairs = [
        { token: ada.token, params: { id: grace.id } },
        { token: grace.token, params: { id: ada.id } },
      ]
      const got = await Promise.all(
        pairs.map((sent) =>
          other.call(contract.updateInstanceUser.key, { ...sent, body: { instance_owner: false } }),
        ),
      )
      expect(got.filter(({ status }) => status === 200)).toHaveLength(1)
      const left = await other.db
        .selectFrom('users')
        .select('id')
        .where('instance_owner', '=', true)
        .execute()
      expect(left).toHaveLength(1)
    } finally {
      await other.close()
    }
  })

  test('protects the last one from the admin command and from locking the others', async () => {
    await expect(changeInstanceOwner(ctx, operator.id, false)).rejects.toMatchObject({
      code: 'last_instance_owner',
    })
    const ada = await someone()
    await changeInstanceOwner(ctx, ada.id, true)
    await update(ada.id, { locked: true })
    await expect(changeInstanceOwner(ctx, operator.id, false)).rejects.toMatchObject({
      code: 'last_instance_owner',
    })
    await changeInstanceOwner(ctx, ada.id, false)
  })

  test('grants no rights when the oldest workspace is deleted or its owner leaves', async () => {
    const { token: strangerToken } = await someone()
    const oldest = await makeWorkspace(db, 'Oldest')
    await db
      .updateTable('workspaces')
      .set({ created_at: new Date(0) })
      .where('id', '=', oldest)
      .execute()
    const ada = await makeSomeone(db, oldest, 'owner')
    for (const who of [ada.token, strangerToken])
      await slipway.refused(contract.getInstance, { token: who }, 403, 'forbidden')
    await slipway.ok(deleteWorkspace, { token: ada.token, body: { name: 'Oldest' } })
    for (const who of [ada.token, strangerToken])
      await slipway.refused(contract.getInstance, { token: who }, 403, 'forbidden')
    await slipway.ok(contract.getInstance, { token })
  })
})
