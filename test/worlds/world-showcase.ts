import type { Id } from '../../contract/shared/ids.ts'
import { rollUpMetrics } from '../../server/areas/metrics/rollup.ts'
import { newId } from '../../server/platform/ids.ts'
import type { Stage } from '../support/browser/stage.ts'
import { makeShownServer } from '../support/browser/shown-server.ts'
import { makeAlert, makeIncident } from '../support/factories/alert-factories.ts'
import { failedWith, makeDeployment } from '../support/factories/application-factories.ts'
import { makeChannel } from '../support/factories/channels.ts'
import {
  makeApiToken,
  makeMember,
  makeSession,
  makeUser,
  makeWorkspace,
} from '../support/factories/factories.ts'
import { makeProject } from '../support/factories/project-factories.ts'
import { makePlaced, makeRunning } from './showcase-applications.ts'
import { applications, people, servers } from './showcase-entries.ts'
import { makeServerFigures } from './world-figures.ts'
import { ago, day, hour } from './world-times.ts'

type Ctx = Stage['ctx']

const gigabyte = 2 ** 30

/** A small company with a shop, after months of use: everything works except last night’s deployment of billing. */
export async function makeShowcase(ctx: Ctx) {
  const { db } = ctx
  const workspace = await makeWorkspace(db, 'Fjord Coffee')
  const [owner, ...others] = await Promise.all(
    people.map((name) =>
      makeUser(db, { name, email: `${name.split(' ')[1]?.toLowerCase()}@fjordcoffee.example` }),
    ),
  )
  if (!owner) throw new Error('Somebody owns the workspace.')
  await makeMember(db, workspace, owner, 'owner')
  for (const user of others) await makeMember(db, workspace, user, 'member')
  const { token } = await makeSession(db, owner, { workspace })
  const serverIds: Record<string, Id<'server'>> = {}
  for (const name of Object.keys(servers)) serverIds[name] = await makeServer(ctx, workspace, name)
  const project = await makeProject(ctx, workspace, 'Shop')
  const ids: Record<string, Id<'application'>> = {}
  for (const [name, shown] of Object.entries(applications)) {
    const server = serverIds[shown.server]
    if (!server) throw new Error(`There is no ${shown.server}.`)
    ids[name] = await makePlaced(ctx, { workspace, server, project, name, shown })
  }
  // By time, which their IDs tell as well.
  for (const [name, shown] of Object.entries(applications)) {
    const [id, server] = [ids[name], serverIds[shown.server]]
    if (!id || !server) throw new Error(`There is no ${name}.`)
    if (name === 'api') await makeLastNight(ctx, workspace, ids)
    await makeRunning(ctx, { workspace, server, name, shown, id })
  }
  await rollUpMetrics(db)
  await makeAlerts(ctx, workspace)
  await makeApiToken(db, workspace, owner, { role: 'member', scope: 'deploy' })
  return { workspace, owner, token, servers: serverIds, applications: ids }
}

async function makeServer({ db }: Ctx, workspace: Id<'workspace'>, name: string) {
  const shown = servers[name as keyof typeof servers]
  const [memory, disk] = [shown.memory * gigabyte, shown.disk * gigabyte]
  const id = await makeShownServer(db, workspace, {
    name,
    address: `203.0.113.${10 + Object.keys(servers).indexOf(name)}`,
    region: shown.region,
    os: 'Debian GNU/Linux 12 (bookworm)',
    architecture: 'x86_64',
    cpus: shown.cpus,
    memory_bytes: memory,
    disk_bytes: disk,
    docker_version: '27.3.1',
    docker_api_version: '1.47',
    last_seen_at: new Date(),
    containers_live: true,
    watched_until: ago(-day),
    created_at: ago(140 * day),
  })
  await makeServerFigures(
    db,
    { workspace_id: workspace, server_id: id },
    { ...shown, memory, disk, used: shown.used * gigabyte, filled: shown.filled * gigabyte },
  )
  return id
}

/** Tomás changed a variable of billing in the evening, then its deployment failed. */
async function makeLastNight(
  ctx: Ctx,
  workspace_id: Id<'workspace'>,
  ids: Record<string, Id<'application'>>,
) {
  const { db } = ctx
  const id = ids['billing']
  if (!id) throw new Error('There is no billing.')
  const { server_id: server } = await db
    .selectFrom('applications')
    .select('server_id')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const began = ago(11 * hour)
  await makeDeployment(
    db,
    workspace_id,
    { id, server },
    {
      ...failedWith(ctx, ['Health check failed: connection refused on port 8080 after 60 s.']),
      type: 'build_application',
      actor_name: 'Tomás Oliveira',
      message: 'Move to the new database',
      created_at: began,
      started_at: began,
      finished_at: new Date(began.getTime() + 62_000),
    },
  )
  await db
    .insertInto('events')
    .values({
      id: newId('event'),
      workspace_id,
      type: 'application.environment_changed',
      actor_name: 'Tomás Oliveira',
      via: 'session',
      target_kind: 'application',
      target_id: id,
      target_name: 'billing',
      detail: 'DATABASE_URL',
      created_at: ago(12 * hour),
    })
    .execute()
}

async function makeAlerts(ctx: Ctx, workspace: Id<'workspace'>) {
  await makeChannel(ctx, workspace, 'http://203.0.113.40/hook', { name: 'On-call' })
  const alert = await makeAlert(ctx.db, workspace, { kind: 'disk', name: 'Disk almost full' })
  await makeIncident(ctx.db, workspace, alert, {
    alert_name: 'Disk almost full',
    kind: 'disk',
    summary: 'The disk of nbg-data-1 is 91 % full.',
    subject_name: 'nbg-data-1',
    state: 'resolved',
    began_at: ago(3 * day),
    fired_at: ago(3 * day),
    resolved_at: ago(3 * day - 2 * hour),
    resolved_reason: '82 % full.',
  })
}
