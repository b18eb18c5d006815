import { newId } from '../../server/platform/ids.ts'
import { storeSetting } from '../../server/settings.ts'
import type { Key } from '../../contract/endpoint.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { makeMember, makeUser, makeWorkspace, unique } from '../support/factories/factories.ts'
import { startMailbox } from '../support/fakes/mailbox.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const nothing: Make = () => ({})

/** Calls that succeed for an instance owner. */
export const validInstanceCalls = {
  'GET /v1/instance': nothing,
  'GET /v1/instance/settings': nothing,
  'PUT /v1/instance/settings': () => ({ body: { workspaces_per_user: 1000 } }),
  'POST /v1/instance/mail/test': async ({ slipway: { ctx } }) => {
    if (!ctx.mail) {
      const mailbox = await startMailbox()
      await storeSetting(ctx, ctx.db, 'smtp_url', mailbox.url)
      ctx.settingsCache.clear()
      await ctx.refreshMail()
    }
    return {}
  },
  'GET /v1/instance/users': nothing,
  'PUT /v1/instance/users/{id}': ({ target }) => ({ params: { id: target.id }, body: { locked: false } }),
  'POST /v1/instance/users/{id}/end-access': async ({ slipway }) => ({
    params: { id: (await makeUser(slipway.db)).id },
  }),
  'DELETE /v1/instance/users/{id}': async ({ slipway }) => {
    const { id, email } = await makeUser(slipway.db)
    return { params: { id }, body: { email } }
  },
  'GET /v1/instance/workspaces': nothing,
  'PUT /v1/instance/workspaces/{id}': async ({ slipway }) => ({
    params: { id: await makeWorkspace(slipway.db) },
    body: { locked: true },
  }),
  'DELETE /v1/instance/workspaces/{id}': async ({ slipway }) => ({
    params: { id: await makeWorkspace(slipway.db, 'Old yard') },
    body: { name: 'Old yard' },
  }),
  'GET /v1/instance/this-machine': nothing,
  'POST /v1/instance/this-machine': async ({ slipway: { db }, caller }) => {
    await db.deleteFrom('servers').where('kind', '=', 'local').execute()
    const owned = await makeWorkspace(db)
    await makeMember(db, owned, caller, 'owner')
    return { body: { workspace_id: owned } }
  },
  'DELETE /v1/instance/this-machine': async ({ slipway: { db }, workspace }) => {
    await db.deleteFrom('servers').where('kind', '=', 'local').execute()
    const row = { id: newId('server'), workspace_id: workspace, name: 'This machine' }
    await db
      .insertInto('servers')
      .values({ ...row, kind: 'local', status: 'pending' })
      .execute()
    return {}
  },
  'GET /v1/instance/audit': nothing,
  'GET /v1/instance/host-names': nothing,
  'DELETE /v1/instance/host-names/{host}': async ({ slipway, workspace }) => {
    const host = `${unique('www')}.example.com`
    await slipway.db.insertInto('host_names').values({ host, workspace_id: workspace }).execute()
    return { params: { host } }
  },
  'GET /v1/user/activity': nothing,
  'GET /v1/instance/users/{id}/activity': ({ target }) => ({ params: { id: target.id } }),
} satisfies Partial<Record<Key, Make>>
