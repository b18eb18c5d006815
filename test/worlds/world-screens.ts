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
  const { id: server, address } = await db
    .selectFrom('servers')
    .select(['id', 'address'])
    .where('workspace_id', '=', workspace)
    .where('name', '=', 'web-1')
    .executeTakeFirstOrThrow()
  const deployed = await makeDeployed(ctx, { workspace, server })
  await makeSettings(ctx, workspace, deployed.id)
  const { id: project } = await db
    .selectFrom('projects')
    .select('id')
    .where('workspace_id', '=', workspace)
    .where('name', '=', 'Storefront')
    .executeTakeFirstOrThrow()
  const channel = await makeChannel(ctx, workspace, `http://${address}:9000/hook`)
  await makeMessage(ctx, workspace, channel, { title: `web-1 (${address}) is unreachable.` })
  const alert = await makeAlert(db, workspace)
  const summary = `Could not reach web-1: ${address} refused the connection.`
  const incident = await makeIncident(db, workspace, alert, { summary })
  const past = {
    summary,
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
    '/dashboard/applications',
    application,
    ...['deployments', 'environment', 'networking', 'storage', 'labels', 'metrics', 'settings'].map(
      (tab) => `${application}/${tab}`,
    ),
    `${application}/deployments?deploymentId=${deployed.deployments.failed}`,
    `${application}?dialog=roll-back`,
    '/dashboard/templates/tpl_plausible',
    '/dashboard/notifications',
    `/dashboard/notifications?incident=${incident}`,
    ...['alerts', 'history', 'channels', channel].map((tab) => `/dashboard/notifications/${tab}`),
    '/dashboard/integrations',
    '/dashboard/integrations/deliveries',
    '/dashboard/import/servers',
    '/dashboard/servers/create',
    ...['', '/invites', '/audit', '/settings'].map((tab) => `/dashboard/workspace${tab}`),
    ...['', '/security', '/api-tokens', '/cloud-tokens'].map((tab) => `/dashboard/settings${tab}`),
    ...['', '/people', '/workspaces', '/host-names', '/settings', '/audit'].map(
      (tab) => `/dashboard/instance${tab}`,
    ),
  ]
  return { token, paths }
}
