import { afterAll, expect, test } from 'vitest'
import { startSetup } from '../../../contract/setups.ts'
import {
  makeInstanceOwner,
  makeServer,
  makeTeam,
  nowhere,
} from '../../../test/support/factories/factories.ts'
import { startSlipway } from '../../../test/support/stages/context.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import { listTitlesAndErrors, startMissingSetup } from './request-setup.ts'

const slipway = await startSlipway()
afterAll(() => slipway.close())
const { db, ctx } = slipway
const team = await makeTeam(db)
await makeInstanceOwner(db, team.owner)

const rowOf = (id: Id<'server'>) =>
  db.selectFrom('servers').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
const start = async (id: Id<'server'>, canActAsRoot = false) =>
  startMissingSetup(ctx, await rowOf(id), { canActAsRoot })
const setupsOf = (id: Id<'server'>) =>
  db.selectFrom('setups').select(['status', 'actor_name']).where('server_id', '=', id).execute()

const cases = [
  ['local', 'An instance owner must run setup on the server page. Then deploy again.'],
  ['ssh', 'A workspace admin must run setup on the server page. Then deploy again.'],
] as const

test.each(cases)('a deployment starts no setup of a server (%s) that nobody set up', async (kind, who) => {
  const id = await makeServer(ctx, team.workspace, nowhere(), { kind, name: kind, setup_consented_at: null })
  for (const canActAsRoot of [false, true])
    expect(await start(id, canActAsRoot)).toBe(
      `${kind} is not fully set up, and a deployment cannot run its first setup. ${who}`,
    )
  expect(await setupsOf(id)).toEqual([])
  expect(await rowOf(id)).toMatchObject({ status: 'ready' })
  await slipway.ok(startSetup, { token: team.owner.token, params: { id } })
  // The deployment joins the setup that the owner has started.
  expect(await start(id)).toBeUndefined()
  expect(await setupsOf(id)).toMatchObject([{ status: 'queued' }])
  await db.updateTable('setups').set({ status: 'completed', finished_at: new Date() }).execute()
  expect(await start(id)).toBeUndefined()
  expect(await setupsOf(id)).toEqual([{ status: 'queued', actor_name: 'Slipway' }])
})

test('a deployment repeats a failed setup after 10 minutes, or at once for those who can act as root', async () => {
  const id = await makeServer(ctx, team.workspace, nowhere(), { name: 'web-1' })
  const fail = async (minutesAgo: number) => {
    const finished_at = new Date(Date.now() - minutesAgo * 60_000)
    await db
      .updateTable('setups')
      .set({ status: 'failed', finished_at })
      .where('server_id', '=', id)
      .execute()
    const failed = { status: 'failed', reason: 'Port 80 is in use.' } as const
    await db.updateTable('servers').set(failed).where('id', '=', id).execute()
  }
  expect(await start(id)).toBeUndefined()
  await fail(9)
  expect(await start(id)).toBe(
    'web-1 could not be set up. Port 80 is in use. Deployments retry a failed setup after 10 minutes. A workspace admin can run setup earlier on the server page.',
  )
  expect(await setupsOf(id)).toMatchObject([{ status: 'failed' }])
  expect(await start(id, true)).toBeUndefined()
  await fail(10)
  expect(await start(id)).toBeUndefined()
  expect(await setupsOf(id)).toMatchObject([{ status: 'queued' }])
  expect(await rowOf(id)).toMatchObject({ status: 'setting_up' })
})

test('lists only step titles and errors of the output for a deployment', () => {
  const output =
    '==> docker: Checking Docker\nHit:1 http://10.0.0.7/debian\nWarning: swap is off.\n!! Port 80 is in use.\nThe server is ready.\n'
  expect(listTitlesAndErrors(output)).toEqual(['Checking Docker', 'Port 80 is in use.'])
})
