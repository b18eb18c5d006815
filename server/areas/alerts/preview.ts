import type { z } from 'zod'
import { type AlertKind, type AlertKindName, alertKinds } from '../../../contract/shared/alert-kinds.ts'
import type { previewAlert as endpoint } from '../../../contract/alerts.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { type AlertCondition, assertValidDefinition, toAlertCondition } from './definition.ts'
import { type AlertState, evaluateReading } from './evaluate.ts'
import {
  readCertificateHistory,
  readCheckHistory,
  readDeploymentHistory,
  readReachabilityHistory,
  readTroubleHistory,
} from './preview/event-history.ts'
import { readMetricHistory } from './preview/metric-history.ts'
import {
  type Point,
  type PreviewQuery,
  type PreviewSubject,
  STEP,
  STEP_SECONDS,
  type SubjectHistories,
  type SubjectHistory,
} from './preview/history.ts'
import { assertScopeExists } from './alert.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Db } from '../../tables.ts'

const DAY = 86_400_000
const MAX_SERIES = 5

export async function previewAlert(ctx: Context, actor: Actor, input: z.output<typeof endpoint.body>) {
  const { db } = ctx
  const { id: workspaceId } = actor.workspace
  const watched = toAlertCondition(input)
  assertValidDefinition(input.kind, watched)
  await assertScopeExists(db, workspaceId, watched.scope)
  const { subjects, total } = await listSubjects(db, workspaceId, input.kind, watched)
  const until = ctx.now().getTime()
  const since = Math.floor((until - DAY) / STEP) * STEP
  const read = histories[input.kind]
  const known = await read?.({ db, workspaceId, watched, subjects, since, until })
  const series = subjects.flatMap(({ key, id, name }) => {
    const past = known?.get(key)
    return past ? [{ id, name, points: past.points, firedAt: firingTimes(watched, past) }] : []
  })
  return {
    since: new Date(since).toISOString(),
    step_seconds: STEP_SECONDS,
    subjects: total,
    times_fired:
      series.length > 0 || (read && total === 0)
        ? series.reduce((sum, subject) => sum + subject.firedAt.length, 0)
        : null,
    series: series
      .toSorted((a, b) => b.firedAt.length - a.firedAt.length || nearness(watched, b) - nearness(watched, a))
      .slice(0, MAX_SERIES)
      .map(({ points, firedAt, ...subject }) => ({
        ...subject,
        points: points.map(({ at, value }) => ({
          at: new Date(at).toISOString(),
          value: Math.round(value * 100) / 100,
        })),
        fired_at: firedAt.map((at) => new Date(at).toISOString()),
      })),
  }
}

/** Histories by kind. Container states are not recorded, so their kinds have none. */
const histories: Partial<Record<AlertKindName, (query: PreviewQuery) => Promise<SubjectHistories>>> = {
  server_unreachable: readReachabilityHistory,
  cpu: readMetricHistory('cpu'),
  memory: readMetricHistory('memory'),
  disk: readMetricHistory('disk'),
  load: readMetricHistory('load'),
  container_cpu: readMetricHistory('container_cpu'),
  container_memory: readMetricHistory('container_memory'),
  container_restarting: readTroubleHistory('restart'),
  container_oom: readTroubleHistory('oom'),
  deployment_failed: readDeploymentHistory,
  http_check: readCheckHistory,
  certificate_expiry: readCertificateHistory,
}

/** Matches the longest gap that the evaluation counts between two readings. */
const MINUTE = 60_000

function firingTimes(watched: AlertCondition, { seen }: SubjectHistory): number[] {
  const firedAt: number[] = []
  let standing: AlertState | undefined
  for (const { at, lasts, value } of seen)
    for (let moment = at; moment === at || moment < at + lasts; moment += MINUTE) {
      const judged = evaluateReading(watched, standing, value, moment)
      standing = judged.standing
      if (judged.change === 'firing') firedAt.push(moment)
      if (!standing) break
    }
  return firedAt
}

function nearness({ comparison }: AlertCondition, { points }: { points: Point[] }): number {
  const values = points.map(({ value }) => (comparison === 'below' ? -value : value))
  return values.reduce((most, value) => Math.max(most, value), -Infinity)
}

const MAX_SUBJECTS = 200

async function listSubjects(
  db: Db,
  workspaceId: Id<'workspace'>,
  kind: AlertKindName,
  { scope }: AlertCondition,
): Promise<{ subjects: PreviewSubject[]; total: number }> {
  const { subject }: AlertKind = alertKinds[kind]
  const from = selects[subject](workspaceId, kind, scope)
  const { rows } = await sql<PreviewSubject & { total: number }>`
    select *, (count(*) over ())::integer as total from (${from}) as listed
    order by lower(name), key limit ${MAX_SUBJECTS}`.execute(db)
  return { subjects: rows, total: rows[0]?.total ?? 0 }
}

type Select = (
  workspaceId: Id<'workspace'>,
  kind: AlertKindName,
  scope: AlertCondition['scope'],
) => RawBuilder<unknown>

const selects: Record<AlertKind['subject'], Select> = {
  server: (workspaceId, _, { kind, id }) => sql`
    select s.id as key, s.id, s.name, s.id as server_id, s.cpus, s.status, s.created_at, null::timestamptz as valid_from, null::timestamptz as expires_at
    from servers s where s.workspace_id = ${workspaceId} and s.status <> 'deleting'
      and (${kind === 'all'} or s.id = ${id} or exists (select from project_servers p
        where p.workspace_id = s.workspace_id and p.server_id = s.id and p.project_id = ${id}))`,
  container: (workspaceId, _, { kind, id, container }) => sql`
    select c.server_id || ' ' || c.id as key, c.id, c.name, c.server_id, null::integer as cpus, null as status,
      c.created_at, null::timestamptz as valid_from, null::timestamptz as expires_at
    from containers c
    left join applications a on a.workspace_id = c.workspace_id and a.id = c.application_id
    where c.workspace_id = ${workspaceId}
      and (${kind === 'all'} or a.id = ${id} or a.project_id = ${id}
        or c.server_id = ${id} and (${kind === 'server'} or c.name = ${container}))`,
  application: (workspaceId, alertKind, { kind, id }) => sql`
    select a.id as key, a.id, a.name, a.server_id, null::integer as cpus, null as status,
      a.created_at, null::timestamptz as valid_from, null::timestamptz as expires_at
    from applications a where a.workspace_id = ${workspaceId} and a.deleting_at is null
      and (${kind === 'all'} or ${id} in (a.id, a.project_id, a.server_id))
      and (${alertKind !== 'http_check'} or a.wanted = 'running' and a.release_id is not null and not a.maintenance
        and exists (select from domains d where d.workspace_id = a.workspace_id and d.application_id = a.id))`,
  certificate: (workspaceId, _, { kind, id }) => sql`
    select distinct t.id as key, t.id, t.host as name, null as server_id, null::integer as cpus, null as status,
      t.created_at, t.valid_from, t.expires_at
    from certificates t
    join domains d on d.workspace_id = t.workspace_id and d.host = t.host and d.https
    join applications a on a.workspace_id = d.workspace_id and a.id = d.application_id and a.deleting_at is null
    where t.workspace_id = ${workspaceId} and t.chain is not null and t.expires_at is not null
      and (${kind === 'all'} or ${id} in (a.id, a.project_id, a.server_id))`,
}
