import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { onWorkerThread } from '../../../platform/worker-thread.ts'
import { type Change, changesBetween } from './compare-configurations.ts'
import { type ApplicationConfig, readApplicationConfig } from '../config.ts'
import { findRelease, openReleaseConfiguration, type Release } from '../release.ts'
import { sql } from 'kysely'
import type { Db } from '../../../tables.ts'
import { internalSuffix } from '../../compose/proxy-network.ts'
import { slipwayPrefix } from '../../servers/docker-networks.ts'
import type { z } from 'zod'
import type { listChanges as contract } from '../../../../contract/releases.ts'
import { notFound } from '../../../errors.ts'
import { type Actor, hasPermission } from '../../../route.ts'
import { type ApplicationRow, getApplicationRow } from '../application.ts'

const compareOffLoop = onWorkerThread(
  new URL('./compare-configurations.js', import.meta.url),
  'changesBetween',
  changesBetween,
)

/** Runs `changesBetween` in a worker thread, since parsing compose files blocks the event loop. */
export const findChanges = async (
  workspaceId: Id<'workspace'>,
  from: ApplicationConfig,
  to: ApplicationConfig,
): Promise<Change[]> =>
  from.compose?.text === to.compose?.text
    ? changesBetween(from, to)
    : compareOffLoop(`reads of ${workspaceId}`, from, to)

export async function findChangedApplications(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  applications: ApplicationRow[],
): Promise<Set<Id<'application'>>> {
  const all: Id<'application'>[] = []
  // Sequential: the number of queued worker tasks per workspace is limited.
  for (const application of applications)
    if (await isChanged(ctx, workspaceId, application)) all.push(application.id)
  const ids = applications.map(({ id }) => id)
  // Not cached: containers also change networks without a configuration change.
  const moving = await listMoves(ctx.db, workspaceId, ids)
  return new Set([...all, ...moving.map(({ id }) => id)])
}

async function isChanged(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  application: ApplicationRow,
): Promise<boolean> {
  const { id, revision, release_id: release } = application
  if (release === null) return false
  const compare = async () => {
    const row = await findRelease(ctx.db, workspaceId, release)
    if (!row) return false
    const now = await readApplicationConfig(ctx, ctx.db, application)
    return (await findChanges(workspaceId, openReleaseConfiguration(ctx, row), now)).length > 0
  }
  return (await ctx.configurationChanges.get(`${id} ${revision} ${release}`, compare, () => false)).value
}

/** Finds a release that crashed and was rolled back, if the next deployment would repeat it. */
export async function findCrashedRelease(
  ctx: Context,
  application: ApplicationRow,
): Promise<{ number: number; image: string } | null> {
  const { workspace_id, id, release_id } = application
  const { rows } = await sql<{ id: Id<'release'> }>`
    select r.id from releases r
    join deployments d on d.workspace_id = r.workspace_id and d.id = r.deployment_id and d.crashed_at is not null
    where r.workspace_id = ${workspace_id} and r.application_id = ${id}
      and r.number > (select number from releases o where o.workspace_id = r.workspace_id and o.id = ${release_id})
    order by r.number desc limit 1`.execute(ctx.db)
  const crashed = rows[0] && (await findRelease(ctx.db, workspace_id, rows[0].id))
  if (!crashed) return null
  const current = await readApplicationConfig(ctx, ctx.db, application)
  const changes = await findChanges(workspace_id, openReleaseConfiguration(ctx, crashed), current)
  return changes.length > 0 ? null : { number: crashed.number, image: crashed.image }
}

interface Row {
  id: Id<'application'>
  /** Project of the current network; its ID if the project was deleted. */
  fromProject: string | null
  project: string | null
}

/** Returns applications whose next deployment moves containers into or out of a project network. */
async function listMoves(
  db: Db,
  workspaceId: Id<'workspace'>,
  ids: readonly Id<'application'>[],
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select a.id, p.name as project, max(coalesce(was.name, i.project_network)) as "fromProject"
    from instances i
    join applications a on a.workspace_id = i.workspace_id and a.id = i.application_id
    left join projects p on p.workspace_id = a.workspace_id and p.id = a.project_id and p.network
    left join projects was on was.workspace_id = i.workspace_id and ${slipwayPrefix} || was.id = i.project_network
    cross join lateral (
      select i.network not like ${`%${internalSuffix}`} and (a.compose_sealed is null or i.exposes_port
        or exists (select from domains d
          where d.workspace_id = i.workspace_id and d.application_id = a.id and d.service = i.service)
        or exists (select from published_ports o
          where o.workspace_id = i.workspace_id and o.application_id = a.id and o.service = i.service)) as it
    ) joins
    where i.workspace_id = ${workspaceId} and a.id = any(${[...ids]})
      and i.state = 'serving' and i.network is not null
      and i.project_network is distinct from case when joins.it then ${slipwayPrefix} || p.id end
    group by a.id, p.name`.execute(db)
  return rows
}

export async function networkChanges(
  db: Db,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
): Promise<Change[]> {
  const [move] = await listMoves(db, workspaceId, [id])
  if (!move) return []
  const { fromProject, project } = move
  const kind = project === null ? 'removed' : fromProject === null ? 'added' : 'changed'
  return [{ field: 'project_network', kind, from: fromProject, to: project }]
}

type Query = z.output<(typeof contract)['query']>

export async function listChanges(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  { release_id, to_release_id: to }: Query,
): Promise<Change[]> {
  const application = await getApplicationRow(ctx, actor, id)
  const from = release_id ?? application.release_id
  if (from === null) return []
  const before = await getRelease(ctx, application, from)
  const changes = await changesSince(ctx, application, before, to)
  return hasPermission(actor, 'applications.manage') ? changes : changes.map(withoutValue)
}

async function changesSince(
  ctx: Context,
  application: ApplicationRow,
  before: Release,
  to: Id<'release'> | undefined,
): Promise<Change[]> {
  if (to === undefined)
    return [
      ...(await findChanges(
        application.workspace_id,
        openReleaseConfiguration(ctx, before),
        await readApplicationConfig(ctx, ctx.db, application),
      )),
      ...(before.id === application.release_id
        ? await networkChanges(ctx.db, application.workspace_id, application.id)
        : []),
    ]
  const after = await getRelease(ctx, application, to)
  return [
    ...imageBehind(before, after),
    ...(await findChanges(
      application.workspace_id,
      openReleaseConfiguration(ctx, before),
      openReleaseConfiguration(ctx, after),
    )),
  ]
}

/** Settings without secrets; for all others, callers without permission only see that they changed. */
const plain =
  /^(image|commit|port|health|memory_limit|cpu_limit|replicas|restart|stop_first|(stop_grace|drain)_seconds|volumes\..*|branch|repository|folder|builder|dockerfile|target|profiles|networks?)$/

const withoutValue = (change: Change): Change =>
  plain.test(change.field) ? change : { ...change, from: null, to: null }

/** The tag may have moved to another image since the release. */
function imageBehind(from: Release, to: Release): Change[] {
  if (from.config.image !== to.config.image || from.image_id === to.image_id) return []
  return from.commit && to.commit
    ? [{ field: 'commit', kind: 'changed', from: describeCommit(from.commit), to: describeCommit(to.commit) }]
    : [{ field: 'image', kind: 'changed', from: exactly(from), to: exactly(to) }]
}

const describeCommit = ({ sha, message }: NonNullable<Release['commit']>) =>
  `${sha.slice(0, 7)} ${message}`.trim()

const exactly = ({ image, digest, image_id }: Release) =>
  `${image} (${(digest ?? image_id).replace(/^sha256:/, '').slice(0, 12)})`

async function getRelease(
  ctx: Context,
  { workspace_id, id }: ApplicationRow,
  releaseId: Id<'release'>,
): Promise<Release> {
  const release = await findRelease(ctx.db, workspace_id, releaseId)
  if (release?.application_id !== id) throw notFound('This release')
  return release
}
