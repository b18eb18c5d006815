import { Secret, TOTP } from 'otpauth'
import type { Key } from '../contract/endpoint.ts'
import type { Id } from '../contract/ids.ts'
import type { Role } from '../contract/permissions.ts'
import { newId } from '../server/platform/ids.ts'
import { hashToken, newToken } from '../server/platform/tokens.ts'
import type { Sent } from './client.ts'
import type { TestSlipway } from './context.ts'
import {
  makeApiToken,
  makeInvite,
  makeMember,
  makeSession,
  makeSomeone,
  makeUser,
  makeWorkspace,
  password,
  type Someone,
  unique,
} from './factories.ts'
import type { startFakeGitHub } from './fakes/github.ts'

/** A workspace with something of everything in it, and one person who is about to call. */
export interface World {
  slipway: TestSlipway
  github: Awaited<ReturnType<typeof startFakeGitHub>>
  workspace: Id<'workspace'>
  name: string
  caller: Someone
  /** Another member, whom nothing is done to but by what is called. */
  target: Someone
  application: Id<'application'>
}

export async function makeWorld(
  slipway: TestSlipway,
  github: World['github'],
  role: Role = 'owner',
): Promise<World> {
  const { db } = slipway
  const name = unique('Yard')
  const workspace = await makeWorkspace(db, name)
  const caller = await makeSomeone(db, workspace, role)
  const target = await makeSomeone(db, workspace, 'viewer')
  // With another owner, the caller may do to themselves whatever an owner may.
  await makeMember(db, workspace, await makeUser(db), 'owner')
  const [application, of] = [newId('application'), { workspace_id: workspace, name }]
  await db
    .insertInto('projects')
    .values({ id: newId('project'), ...of })
    .execute()
  await db
    .insertInto('servers')
    .values({ id: newId('server'), ...of, status: 'ready', address: '192.0.2.7' })
    .execute()
  await db
    .insertInto('applications')
    .values({ id: application, ...of, source_type: 'github' })
    .execute()
  await db
    .insertInto('deployments')
    .values({
      id: newId('deployment'),
      workspace_id: workspace,
      application_id: application,
      type: 'build_application',
      status: 'completed',
      actor_name: caller.name,
    })
    .execute()
  await db
    .insertInto('notifications')
    .values({ id: newId('notification'), ...of, type: 'email' })
    .execute()
  await db
    .insertInto('events')
    .values({
      id: newId('event'),
      workspace_id: workspace,
      type: 'workspace.created',
      actor_name: caller.name,
      via: 'session',
    })
    .execute()
  return { slipway, github, workspace, name, caller, target, application }
}

type Make = (world: World) => Sent | Promise<Sent>

const nothing: Make = () => ({})

/** For every endpoint a call that succeeds, when the caller has the right to it. Without the caller's token. */
export const validCalls: Record<Key, Make> = {
  'GET /v1/health': nothing,
  'POST /v1/auth/email/signup': () => ({
    body: { organisation: 'Docks', email: `${unique('new')}@example.com`, password },
  }),
  'POST /v1/auth/email/login': ({ caller }) => ({ body: { email: caller.email, password } }),
  'POST /v1/auth/email/verify': async (world) => ({ body: { token: await link(world, 'verify') } }),
  'POST /v1/auth/email/join': async ({ slipway, workspace }) => {
    const email = `${unique('guest')}@example.com`
    const { token } = await makeInvite(slipway.ctx, workspace, { email })
    return { body: { token, email, password } }
  },
  'POST /v1/auth/password/forgot': ({ caller }) => ({ body: { email: caller.email } }),
  'POST /v1/auth/password/reset': async (world) => ({
    body: { token: await link(world, 'reset'), password: 'another long password' },
  }),
  'GET /v1/auth/options': nothing,
  'GET /v1/auth/redirect': nothing,
  'GET /v1/auth/github/redirect': nothing,
  'GET /v1/auth/token': async ({ slipway, github }) => {
    const login = unique('octo').replace('-', '')
    github.addAccount(login)
    const { headers } = await slipway.call('GET /v1/auth/github/redirect')
    const query = Object.fromEntries(await github.approve(headers['location'] ?? '', login))
    return { query, headers: { cookie: (headers['set-cookie'] ?? '').split(';')[0] ?? '' } }
  },
  'POST /v1/auth/logout': nothing,
  'GET /v1/user': nothing,
  'PUT /v1/user': () => ({ body: { name: 'Grace' } }),
  'PUT /v1/user/password': () => ({
    body: { current_password: password, password: 'another long password' },
  }),
  'POST /v1/user/two-factor': () => ({ body: { password } }),
  'POST /v1/user/two-factor/confirm': async (world) => ({ body: { code: await twoFactor(world, null) } }),
  'POST /v1/user/two-factor/recovery-codes': async (world) => ({
    body: { password, code: await twoFactor(world, new Date()) },
  }),
  'POST /v1/user/two-factor/stop': async (world) => ({
    body: { password, code: await twoFactor(world, new Date()) },
  }),
  'GET /v1/user/sessions': nothing,
  'DELETE /v1/user/sessions/{id}': async ({ slipway, caller }) => ({
    params: { id: (await makeSession(slipway.db, caller)).id },
  }),
  'GET /v1/api-tokens': nothing,
  'POST /v1/api-tokens': () => ({ body: { name: 'ci' } }),
  'DELETE /v1/api-tokens/{id}': async ({ slipway, workspace, caller }) => ({
    params: { id: (await makeApiToken(slipway.db, workspace, caller, { role: 'viewer' })).id },
  }),
  'GET /v1/workspaces': nothing,
  'POST /v1/workspaces': () => ({ body: { name: 'Second yard' } }),
  'GET /v1/workspaces/current': nothing,
  'PUT /v1/workspaces/current': () => ({ body: { name: 'New yard' } }),
  'DELETE /v1/workspaces/current': ({ name }) => ({ body: { name } }),
  'POST /v1/workspaces/change/{id}': async ({ slipway, caller }) => {
    const id = await makeWorkspace(slipway.db)
    await makeMember(slipway.db, id, caller, 'viewer')
    return { params: { id } }
  },
  'GET /v1/workspaces/members': nothing,
  'PUT /v1/workspaces/members/{id}': ({ target }) => ({
    params: { id: target.member },
    body: { role: 'member' },
  }),
  'POST /v1/workspaces/members/remove': ({ caller }) => ({ body: { member_id: caller.member } }),
  'GET /v1/workspaces/invites': nothing,
  'POST /v1/workspaces/invite': () => ({ body: { email: `${unique('guest')}@example.com` } }),
  'DELETE /v1/workspaces/invites/{id}': async ({ slipway, workspace }) => ({
    params: {
      id: (await makeInvite(slipway.ctx, workspace, { email: `${unique('guest')}@example.com` })).id,
    },
  }),
  'POST /v1/workspaces/invite/accept': async ({ slipway, caller }) => {
    const elsewhere = await makeWorkspace(slipway.db)
    const { token } = await makeInvite(slipway.ctx, elsewhere, { email: caller.email })
    return { body: { token } }
  },
  'GET /v1/projects': nothing,
  'GET /v1/servers': nothing,
  'GET /v1/applications': nothing,
  'GET /v1/deployments': ({ application }) => ({ query: { application_id: application } }),
  'GET /v1/notifications': nothing,
  'GET /v1/audit': nothing,
  'GET /v1/audit/export': nothing,
  'POST /v1/stream-tickets': nothing,
  'GET /v1/live': nothing,
}

async function link({ slipway, caller }: World, purpose: 'verify' | 'reset'): Promise<string> {
  const token = newToken('lnk')
  const expires_at = new Date(Date.now() + 60_000)
  await slipway.db
    .insertInto('single_use_tokens')
    .values({ token_hash: hashToken(token), user_id: caller.id, purpose, expires_at })
    .execute()
  return token
}

/** Gives the caller an authenticator app, and a code of it. */
async function twoFactor({ slipway: { ctx, db }, caller }: World, two_factor_on_at: Date | null) {
  const secret = new Secret({ size: 20 })
  const two_factor_secret = ctx.secrets.seal(`users.two_factor_secret:${caller.id}`, secret.base32)
  await db
    .updateTable('users')
    .set({ two_factor_secret, two_factor_on_at })
    .where('id', '=', caller.id)
    .execute()
  return new TOTP({ secret }).generate()
}
