import type { Id } from '../../contract/shared/ids.ts'
import { newId } from '../../server/platform/ids.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { makeChannel } from '../support/factories/channels.ts'
import { makeInstanceOwner } from '../support/factories/factories.ts'
import type { Stage } from '../support/browser/stage.ts'
import { makeBusyWorkspace } from './world.ts'
import { makeMessage } from './world-alerts.ts'
import { makeDeployed } from './world-applications.ts'
import { makeSettings } from './world-settings.ts'

/** One workspace with data for every screen, whose texts name addresses, and the paths of the screens. */
export async function makeEveryScreen(ctx: Stage['ctx']) {
  const { db } = ctx
  const { workspace, owner, token } = await makeBusyWorkspace(ctx)
  await makeInstanceOwner(db, owner)
  const findServer = async (name: string) =>
    (
      await db
        .selectFrom('servers')
        .select('id')
        .where('workspace_id', '=', workspace)
        .where('name', '=', name)
        .executeTakeFirstOrThrow()
    ).id
  const server = await findServer('web-1')
  await nameAddresses(ctx, workspace, owner.id)
  const deployed = await makeDeployed(ctx, { workspace, server })
  const unreachable = await findServer('jobs-1')
  const lost = await makeDeployed(ctx, { workspace, server: unreachable }, 'worker')
  await makeSettings(ctx, workspace, deployed.id)
  const { id: project } = await db
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('name', '=', 'Storefront')
    .executeTakeFirstOrThrow()
  const { id: domain } = await db
    .selectFrom('domains')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('generated', '=', true)
    .executeTakeFirstOrThrow()
  const delivery = await makeHookCall(ctx, workspace, deployed.id)
  const channel = await makeChannel(ctx, workspace, `http://${address}:9000/hook`)
  const paused = await makeChannel(ctx, workspace, `http://${address}:9001/hook`, {
    paused_at: new Date(),
    reason: refused,
  })
  await makeMessage(ctx, workspace, channel, { title: `web-1 (${address}) is unreachable.` })
  const alert = await makeAlert(db, workspace)
  const incident = await makeIncident(db, workspace, alert, { summary: refused })
  const past = {
    summary: refused,
    state: 'resolved',
    resolved_at: new Date(),
    resolved_reason: `${address} answers.`,
  } as const
  await makeIncident(db, workspace, alert, past)

  const application = deployed.path
  const onServer = `/dashboard/servers/${server}`
  const paths = [
    '/dashboard',
    '/dashboard/projects',
    `/dashboard/projects/${project}`,
    `/dashboard/projects/${project}?dialog=applications`,
    `/dashboard/projects/${project}/variables`,
    '/dashboard/servers',
    onServer,
    ...['containers', 'commands', 'settings'].map((tab) => `${onServer}/${tab}`),
    `${onServer}/settings?dialog=delete`,
    ...(await Promise.all(['web-2', 'jobs-1', 'edge-1', 'new-1'].map(findServer))).map(
      (id) => `/dashboard/servers/${id}`,
    ),
    '/dashboard/applications',
    application,
    ...['deployments', 'environment', 'networking', 'storage', 'labels', 'metrics', 'settings'].map(
      (tab) => `${application}/${tab}`,
    ),
    `${application}/deployments?deploymentId=${deployed.deployments.failed}`,
    `${application}?dialog=roll-back`,
    ...['edit', 'remove'].map((verb) => `${application}/networking?dialog=${verb}-${domain}`),
    // Its containers cannot be listed, so the overview has no data to keep.
    `${lost.path}/environment`,
    '/dashboard/templates',
    '/dashboard/templates/tpl_plausible',
    '/dashboard/notifications',
    `/dashboard/notifications?incident=${incident}`,
    ...['alerts', 'history', 'channels', channel, paused].map((tab) => `/dashboard/notifications/${tab}`),
    '/dashboard/integrations',
    '/dashboard/integrations/deliveries',
    `/dashboard/integrations/deliveries?dialog=${delivery}`,
    '/dashboard/import/servers',
    '/dashboard/servers/create',
    ...['', '/invites', '/audit', '/settings'].map((tab) => `/dashboard/workspace${tab}`),
    ...['', '/security', '/activity', '/api-tokens', '/cloud-tokens', '/registries'].map(
      (tab) => `/dashboard/settings${tab}`,
    ),
    ...['', '/people', '/workspaces', '/host-names', '/settings', '/audit'].map(
      (tab) => `/dashboard/instance${tab}`,
    ),
  ]
  return { token, paths }
}

const address = '203.0.113.10'
const refused = `Could not reach ${address}: connection refused.`

/** Puts an address into each stored reason, title and detail. */
async function nameAddresses({ db }: Stage['ctx'], workspace_id: Id<'workspace'>, user_id: Id<'user'>) {
  await db
    .updateTable('servers')
    .set({ reason: refused })
    .where('workspace_id', '=', workspace_id)
    .where('reason', 'is not', null)
    .execute()
  const setups = db.updateTable('setups').where('workspace_id', '=', workspace_id)
  await setups.set({ error: refused }).where('status', '=', 'failed').execute()
  const event = {
    id: newId('event'),
    workspace_id,
    type: 'application.domain_added',
    actor_name: 'Ada Lovelace',
  } as const
  const target = { target_kind: 'domain', target_id: 'any', target_name: 'shop.203-0-113-10.sslip.io' }
  await db
    .insertInto('events')
    .values({ ...event, ...target, via: 'session', detail: `at ${address}` })
    .execute()
  const ended = { type: 'session.ended', via: 'session', detail: `of Chrome at ${address}` } as const
  await db
    .insertInto('account_events')
    .values({ id: newId('accountEvent'), user_id, ...ended })
    .execute()
}

/** A call of a deploy hook, of which only the address is known. */
async function makeHookCall(
  ctx: Stage['ctx'],
  workspace_id: Id<'workspace'>,
  application_id: Id<'application'>,
) {
  const id = newId('delivery')
  const row = {
    id,
    workspace_id,
    application_id,
    hook: 'deploy',
    event: 'deploy',
    delivery: id,
    queue: 'any',
  } as const
  const payload_sealed = ctx.secrets.seal(`deliveries.payload_sealed:${id}`, '')
  await ctx.db
    .insertInto('deliveries')
    .values({ ...row, headers: '{}', payload_sealed, sender: address, status: 'failed' })
    .execute()
  await ctx.db
    .insertInto('outcomes')
    .values({ workspace_id, delivery_id: id, position: 0, status: 'failed', summary: refused })
    .execute()
  return id
}
