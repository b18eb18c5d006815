import { Secret, TOTP } from 'otpauth'
import type { Key } from '../../contract/endpoint.ts'
import { newId } from '../../server/platform/ids.ts'
import { hashToken, newToken } from '../../server/platform/tokens.ts'
import { keyFingerprint } from '../../server/remote/ssh/key-pair.ts'
import type { CallOptions } from '../support/clients/client.ts'
import { loadBusybox, ownContainer, runContainer, sharedContainer } from '../support/stages/containers.ts'
import {
  makeApiToken,
  makeCommand,
  makeInvite,
  makeMember,
  makeServer,
  makeSession,
  makeWorkspace,
  password,
  unique,
} from '../support/factories/factories.ts'
import { validAlertCalls } from './valid-alert-calls.ts'
import { validApplicationCalls } from './valid-application-calls.ts'
import { validBillingCalls } from './valid-billing-calls.ts'
import { validCloudCalls } from './valid-cloud-calls.ts'
import { validImportCalls } from './valid-import-calls.ts'
import { validInstanceCalls } from './valid-instance-calls.ts'
import { validIntegrationCalls } from './valid-integration-calls.ts'
import { validNotificationCalls } from './valid-notification-calls.ts'
import { validProjectCalls } from './valid-project-calls.ts'
import { validRegistryCalls } from './valid-registry-calls.ts'
import { validTemplateCalls } from './valid-template-calls.ts'
import { finish, fromGitHub } from '../support/clients/from-github.ts'
import { validWebhookCalls } from './valid-webhook-calls.ts'
import type { World } from '../support/factories/world.ts'

type Make = (world: World) => CallOptions | Promise<CallOptions>

const nothing: Make = () => ({})

const inviteFor = async ({ slipway, workspace }: World) => {
  const email = `${unique('guest')}@example.com`
  return { ...(await makeInvite(slipway.ctx, workspace, { email })), email }
}

/** A successful call for every endpoint, without the caller's token. */
export const validCalls: Record<Key, Make> = {
  'GET /v1/health': nothing,
  'GET /v1/home': nothing,
  'GET /v1/home/applications': nothing,
  'GET /v1/resources': nothing,
  'POST /v1/feedback': () => ({ body: { message: 'I like it.' } }),
  'POST /v1/auth/email/signup': () => ({
    body: { organisation: 'Docks', email: `${unique('new')}@example.com`, password },
  }),
  'POST /v1/auth/email/login': ({ caller }) => ({ body: { email: caller.email, password } }),
  'POST /v1/auth/email/verify': async (world) => ({ body: { token: await link(world, 'verify') } }),
  'POST /v1/auth/email/join': async (world) => {
    const { email, token } = await inviteFor(world)
    return { body: { token, email, password } }
  },
  'POST /v1/auth/invite': async (world) => ({ body: { token: (await inviteFor(world)).token } }),
  'POST /v1/auth/password/forgot': ({ caller }) => ({ body: { email: caller.email } }),
  'POST /v1/auth/password/reset': async (world) => ({
    body: { token: await link(world, 'reset'), password: 'another long password' },
  }),
  'GET /v1/auth/options': nothing,
  'GET /v1/auth/redirect': nothing,
  'GET /v1/auth/github/redirect': nothing,
  'POST /v1/auth/github/finish': fromGitHub,
  'GET /v1/auth/token': async (world) => finish(world.slipway, await fromGitHub(world)),
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
  'GET /v1/workspaces/api-tokens': nothing,
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
  'DELETE /v1/workspaces/invites/{id}': async (world) => ({ params: { id: (await inviteFor(world)).id } }),
  'POST /v1/workspaces/invite/accept': async ({ slipway, caller }) => {
    const elsewhere = await makeWorkspace(slipway.db)
    const { token } = await makeInvite(slipway.ctx, elsewhere, { email: caller.email })
    return { body: { token } }
  },
  'GET /v1/metrics/servers/{id}': ({ server }) => ({ params: { id: server } }),
  'GET /v1/servers': nothing,
  'POST /v1/servers': ({ host: { address } }) => ({ body: { name: 'web-1', address } }),
  'GET /v1/servers/{id}': ({ server }) => ({ params: { id: server } }),
  'PUT /v1/servers/{id}': ({ server }) => ({ params: { id: server }, body: { name: 'web-2' } }),
  // Unreachable, so that the shared key is not removed from the machine.
  'DELETE /v1/servers/{id}': async ({ slipway: { ctx }, workspace, host }) => ({
    params: { id: await makeServer(ctx, workspace, host, { status: 'pending' }) },
  }),
  'GET /v1/servers/{id}/key': ({ server }) => ({ params: { id: server } }),
  'POST /v1/servers/{id}/connect': ({ server }) => ({ params: { id: server } }),
  'POST /v1/servers/{id}/host-key': ({ server, host }) => ({
    params: { id: server },
    body: { fingerprint: keyFingerprint(host.hostKey) },
  }),
  'GET /v1/servers/{id}/containers': ({ server }) => ({ params: { id: server } }),
  'GET /v1/servers/{id}/containers/{cid}': (world) => ofContainer(world),
  'GET /v1/servers/{id}/containers/{cid}/environment': (world) => ofContainer(world),
  'POST /v1/servers/{id}/containers/{cid}/action': (world) => ofContainer(world, { action: 'start' }),
  'POST /v1/servers/{id}/containers/{cid}/{action}': async (world) => {
    const { params } = await ofContainer(world)
    // Unused but allowed.
    return { params: { ...params, action: 'start' }, body: { name: 'other' } }
  },
  'DELETE /v1/servers/{id}/containers/{cid}': async ({ server, host, application }) => ({
    params: { id: server, cid: await runContainer(host, { application }) },
    query: { force: 'true' },
  }),
  'GET /v1/servers/{id}/containers/{cid}/logs': (world) => ofContainer(world),
  'GET /v1/servers/{id}/logs': async ({ server, host }) => ({
    params: { id: server },
    query: { containers: await sharedContainer(host) },
  }),
  'GET /v1/servers/{id}/containers/{cid}/logs/download': (world) => ofContainer(world),
  'POST /v1/servers/{id}/containers/{cid}/command': (world) => ofContainer(world, { command: 'true' }),
  'GET /v1/servers/{id}/containers/{cid}/terminal': (world) => ofContainer(world),
  'GET /v1/metrics/servers/{id}/containers/{cid}': (world) => ofContainer(world),
  'GET /v1/servers/{id}/images': ({ server }) => ({ params: { id: server } }),
  'POST /v1/servers/{id}/images': ({ server }) => ({
    params: { id: server },
    body: { image: 'rig/busybox' },
  }),
  'GET /v1/servers/{id}/pulls': ({ server }) => ({ params: { id: server } }),
  'GET /v1/servers/{id}/pulls/{pull_id}': (world) => ofPull(world),
  'POST /v1/servers/{id}/pulls/{pull_id}/cancel': (world) => ofPull(world),
  'DELETE /v1/servers/{id}/image/{name}': async ({ server, host }) => {
    const name = `rig/copies/${unique('copy')}:1`
    await loadBusybox(host)
    await host.exec('docker', 'tag', 'rig/busybox', name)
    return { params: { id: server, name } }
  },
  'GET /v1/servers/{id}/images/prune': ({ server }) => ({ params: { id: server } }),
  'POST /v1/servers/{id}/images/prune': ({ server }) => ({ params: { id: server }, body: { all: false } }),
  'GET /v1/servers/{id}/commands': ({ server }) => ({ params: { id: server } }),
  'POST /v1/servers/{id}/command': ({ server }) => ({ params: { id: server }, body: { command: 'true' } }),
  'GET /v1/servers/{id}/commands/{command_id}': (world) => ofCommand(world),
  'GET /v1/servers/{id}/commands/{command_id}/output': (world) => ofCommand(world),
  'POST /v1/servers/{id}/commands/{command_id}/cancel': (world) => ofCommand(world),
  'POST /v1/servers/{id}/setup': ({ server }) => ({ params: { id: server } }),
  'GET /v1/setup-changes': ({ server }) => ({ query: { server_id: server } }),
  'GET /v1/servers/{id}/setup': ({ server }) => ({ params: { id: server } }),
  'GET /v1/servers/{id}/setup/log': async ({ slipway, workspace, server, caller }) => {
    const row = {
      workspace_id: workspace,
      server_id: server,
      status: 'completed',
      actor_name: caller.name,
    } as const
    await slipway.db
      .insertInto('setups')
      .values({ id: newId('setup'), ...row })
      .execute()
    return { params: { id: server } }
  },
  'GET /v1/servers/{id}/terminal': ({ server }) => ({ params: { id: server } }),
  ...validAlertCalls,
  ...validApplicationCalls,
  ...validBillingCalls,
  ...validCloudCalls,
  ...validImportCalls,
  ...validInstanceCalls,
  ...validIntegrationCalls,
  ...validNotificationCalls,
  ...validProjectCalls,
  ...validRegistryCalls,
  ...validTemplateCalls,
  ...validWebhookCalls,
  'GET /v1/audit': nothing,
  'GET /v1/audit/export': nothing,
  'POST /v1/stream-tickets': () => ({ body: { path: '/v1/live' } }),
  'GET /v1/live': nothing,
}

async function ofCommand({ slipway, workspace, server }: World): Promise<CallOptions> {
  const command_id = await makeCommand(slipway.ctx, workspace, server, { container_id: 'a', as_root: false })
  return { params: { id: server, command_id } }
}

async function ofContainer({ server, host, application }: World, body?: object): Promise<CallOptions> {
  return { params: { id: server, cid: await ownContainer(host, application) }, ...(body && { body }) }
}

/** A finished pull. */
async function ofPull({ slipway, workspace, server, caller }: World): Promise<CallOptions> {
  const id = newId('pull')
  const row = { workspace_id: workspace, server_id: server, image: 'nginx', actor_name: caller.name }
  await slipway.db
    .insertInto('pulls')
    .values({ id, ...row, status: 'completed', finished_at: new Date() })
    .execute()
  return { params: { id: server, pull_id: id } }
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

/** Enables two-factor authentication and returns a code. */
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
