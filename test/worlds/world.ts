import type { Id } from '../../contract/shared/ids.ts'
import type { Role } from '../../contract/shared/permissions.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Db } from '../../server/tables.ts'
import { makeApplication, makeDeployment } from '../support/factories/application-factories.ts'
import { makeMember, makeSession, makeUser, makeWorkspace } from '../support/factories/factories.ts'
import type { Stage } from '../support/browser/stage.ts'
import { ago, day, hour, minute } from './world-times.ts'
import { makeCommands } from './world-commands.ts'
import { makeContainers } from './world-containers.ts'
import { facts, makeSetup, serversAt } from './world-servers.ts'

interface Names {
  workspace?: string
  owner?: { name: string; email: string }
  /** Name of a server, and its labels. */
  server?: string
}

/** A workspace after months of use, with an owner's session. */
export async function makeBusyWorkspace(ctx: Stage['ctx'], names: Names = {}) {
  const { db } = ctx
  const workspace = await makeWorkspace(db, names.workspace ?? 'Harbour Works')
  const owner = await makeUser(db, names.owner ?? { name: 'Ada Lovelace', email: 'ada@harbour.example' })
  await makeMember(db, workspace, owner, 'owner')
  const { token } = await makeSession(db, owner, { workspace })
  await makeSession(db, owner, { workspace })
  await db
    .updateTable('sessions')
    .set({ agent: 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0 Safari/537.36' })
    .where('user_id', '=', owner.id)
    .execute()
  await makePeople(db, workspace)
  await makeServers(ctx, workspace, names)
  await makeDeployments(db, workspace, owner.name)
  await makeProjects(db, workspace)
  await makeHistory(db, workspace, owner)
  await makeApiTokens(db, workspace, owner.id)
  return { workspace, owner, token }
}

async function makePeople(db: Db, workspace: Id<'workspace'>) {
  const people: [name: string, role: Role][] = [
    ['Grace Hopper', 'admin'],
    ['Linus Pauling', 'member'],
    ['Mary Jackson', 'member'],
    ['Edsger Visser', 'viewer'],
  ]
  await db
    .updateTable('members')
    .set({ created_at: ago(120 * day) })
    .where('workspace_id', '=', workspace)
    .execute()
  for (const [name, role] of people) {
    const email = `${name.toLowerCase().replace(' ', '.')}@harbour.example`
    const known = await db.selectFrom('users').select('id').where('email', '=', email).executeTakeFirst()
    await makeMember(db, workspace, known ?? (await makeUser(db, { name, email })), role)
  }
  await db
    .updateTable('members')
    .set({ created_at: ago(34 * day) })
    .where('workspace_id', '=', workspace)
    .where('role', '!=', 'owner')
    .execute()
}

async function makeServers(
  ctx: Stage['ctx'],
  workspace_id: Id<'workspace'>,
  { server: named = 'jobs-1' }: Names,
) {
  const { db } = ctx
  for (const { age, ...server } of serversAt(named)) {
    const id = newId('server')
    await db
      .insertInto('servers')
      .values({ id, workspace_id, ...facts, ...server, created_at: ago(age) })
      .execute()
    if (server.status === 'setting_up' || server.status === 'failed')
      await makeSetup(ctx, workspace_id, id, server)
    if (server.name !== 'web-1') continue
    await makeCommands(ctx, workspace_id, id)
    await makeContainers(db, workspace_id, id)
  }
  await db
    .insertInto('notifications')
    .values({ id: newId('notification'), workspace_id, name: 'On-call', type: 'email' })
    .execute()
}

async function makeDeployments(db: Db, workspace_id: Id<'workspace'>, by: string) {
  const images = {
    storefront: 'shop:4.1',
    'billing-api': 'billing:2.0',
    redis: 'redis:7.4',
    grafana: 'grafana:11',
  }
  const { id: server } = await db
    .selectFrom('servers')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('name', '=', 'web-1')
    .executeTakeFirstOrThrow()
  const applications: Record<string, Id<'application'>> = {}
  for (const [name, image] of Object.entries(images))
    applications[name] = await makeApplication(db, workspace_id, server, { name, slug: name, image })
  const deployments = [
    ['redis', 'deploy_application', 'completed', 'Upgrade to 7.4', 'Grace Hopper', 6 * day],
    ['grafana', 'deploy_application', 'cancelled', null, 'Mary Jackson', 3 * day],
    [
      'billing-api',
      'build_application',
      'failed',
      'Retry webhooks with a longer pause',
      'Linus Pauling',
      26 * hour,
    ],
    ['billing-api', 'build_application', 'completed', 'Give webhooks a deadline', 'Linus Pauling', 25 * hour],
    [
      'storefront',
      'build_application',
      'completed',
      'Show the basket on every page',
      'Mary Jackson',
      3 * hour,
    ],
    ['storefront', 'rollback_application', 'completed', null, by, 40 * minute],
    ['billing-api', 'build_application', 'running', 'Round invoices to the cent', 'Linus Pauling', minute],
  ] as const
  for (const [application, type, status, message, actor_name, age] of deployments) {
    const application_id = applications[application]
    if (!application_id) throw new Error(`There is no ${application}.`)
    const row = { type, status, message, actor_name, created_at: ago(age) }
    await makeDeployment(db, workspace_id, { id: application_id, server }, row)
  }
}

/** The first project has all applications and two servers, the other is empty. */
async function makeProjects(db: Db, workspace_id: Id<'workspace'>) {
  const [project_id, other] = [newId('project'), newId('project')]
  const description = 'What customers see: the shop, and all that it needs to sell.'
  await db
    .insertInto('projects')
    .values([
      { id: project_id, workspace_id, name: 'Storefront', description },
      { id: other, workspace_id, name: 'Back office' },
    ])
    .execute()
  await db.updateTable('applications').set({ project_id }).where('workspace_id', '=', workspace_id).execute()
  const servers = db.selectFrom('servers').select('id').where('workspace_id', '=', workspace_id)
  const some = await servers.where('name', 'in', ['web-1', 'web-2']).execute()
  await db
    .insertInto('project_servers')
    .values(some.map(({ id }) => ({ workspace_id, project_id, server_id: id })))
    .execute()
}

async function makeHistory(
  db: Db,
  workspace_id: Id<'workspace'>,
  { id: actor_id, name: actor_name }: { id: string; name: string },
) {
  const events = [
    ['workspace.created', 'workspace', 'Harbour Works', 120 * day],
    ['member.invited', 'invite', 'grace.hopper@harbour.example', 119 * day],
    ['api_token.created', 'api_token', 'Pipeline', 30 * day],
    ['member.role_changed', 'member', 'Grace Hopper', 9 * day],
    ['invite.revoked', 'invite', 'nobody@harbour.example', 2 * hour],
  ] as const
  const common = { workspace_id, actor_id, actor_name, via: 'session', address: '198.51.100.80' }
  for (const [type, target_kind, target_name, age] of events) {
    const target = { target_kind, target_name, target_id: 'any' }
    await db
      .insertInto('events')
      .values({ id: newId('event'), type, ...common, ...target, created_at: ago(age) })
      .execute()
  }
}

async function makeApiTokens(db: Db, workspace_id: Id<'workspace'>, user_id: Id<'user'>) {
  const tokens = [
    {
      name: 'Pipeline',
      role: 'member',
      scope: 'deploy',
      expires_at: ago(-60 * day),
      last_used_at: ago(3 * hour),
    },
    {
      name: 'Old laptop',
      role: 'owner',
      scope: 'manage',
      expires_at: ago(2 * day),
      last_used_at: ago(50 * day),
    },
    { name: 'Status page', role: 'viewer', scope: 'read', expires_at: null, last_used_at: null },
  ] as const
  for (const token of tokens) {
    const id = newId('apiToken')
    await db
      .insertInto('api_tokens')
      .values({ id, workspace_id, user_id, token_hash: `none-${id}`, ...token })
      .execute()
  }
}
