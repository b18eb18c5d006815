import type { Updateable } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { newId } from '../../platform/ids.ts'
import type { Tables, Trx } from '../../tables.ts'
import { type IncidentRow, sealCause, incidentTarget } from './incident.ts'
import type { OpenIncident } from './engine-state.ts'
import { incidentSummary } from './incident-summary.ts'
import type { IncidentStep } from './evaluate.ts'
import type { Observation } from './observer.ts'

/** Returns undefined when the incident is resolved, possibly by another process. */
export async function writeIncidentStep(
  ctx: Context,
  trx: Trx,
  step: IncidentStep,
): Promise<OpenIncident | undefined> {
  const row = await write(ctx, trx, step)
  if (row) await nudge(trx, row.workspace_id, 'incident.changed', row.id)
  return row?.state === 'resolved' ? undefined : row
}

function write(ctx: Context, trx: Trx, step: IncidentStep): Promise<IncidentRow | undefined> {
  const { incident } = step.before
  if (step.change === 'pending') return insertIncident(ctx, trx, step.observation)
  if (step.change === 'firing') return fire(ctx, trx, step)
  if (!incident) return Promise.resolve(undefined)
  if (step.change === 'dropped') return drop(trx, incident)
  return step.change === 'resolved' ? resolve(ctx, trx, incident, step) : remind(ctx, trx, incident, step)
}

async function insertIncident(
  ctx: Context,
  trx: Trx,
  observation: Observation,
): Promise<IncidentRow | undefined> {
  const { alert, subject } = observation
  const existing = await trx
    .selectFrom('alerts')
    .select('id')
    .where('workspace_id', '=', alert.workspace_id)
    .where('id', '=', alert.id)
    .forKeyShare()
    .executeTakeFirst()
  if (!existing) return undefined
  return trx
    .insertInto('incidents')
    .values({
      id: newId('incident'),
      workspace_id: alert.workspace_id,
      alert_id: alert.id,
      alert_name: alert.name,
      kind: alert.kind,
      severity: alert.severity,
      state: 'pending',
      subject_kind: subject.kind,
      subject_id: subject.id,
      subject_name: subject.name,
      server_id: subject.server_id,
      application_id: subject.application_id,
      began_at: ctx.now(),
      ...currentValues(observation),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const currentValues = (observation: Observation) => ({
  summary: incidentSummary(observation),
  value: typeof observation.reading.value === 'number' ? observation.reading.value : null,
  threshold: observation.alert.threshold,
  deployment_id: observation.reading.deployment_id ?? null,
})

async function fire(ctx: Context, trx: Trx, step: IncidentStep & { change: 'firing' }) {
  const { before, observation, notify, cause } = step
  const { alert } = observation
  const id = before.incident?.id ?? (await insertIncident(ctx, trx, observation))?.id
  if (id === undefined) return undefined
  const now = ctx.now()
  const row = await update(trx, alert.workspace_id, id, {
    state: 'firing',
    fired_at: now,
    alert_name: alert.name,
    severity: alert.severity,
    ...currentValues(observation),
    ...(cause && { cause_sealed: sealCause(ctx, id, cause) }),
    ...(notify && { notified_at: now, notification_count: 1 }),
  })
  if (row && notify)
    await emit(trx, 'slipway', row.workspace_id, 'alert.started', incidentTarget(row), row.summary)
  return row
}

async function drop(trx: Trx, { workspace_id, id }: OpenIncident): Promise<undefined> {
  await trx
    .deleteFrom('incidents')
    .where('workspace_id', '=', workspace_id)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .execute()
  await nudge(trx, workspace_id, 'incident.changed', id)
}

async function resolve(
  ctx: Context,
  trx: Trx,
  incident: OpenIncident,
  { reason, notify }: IncidentStep & { change: 'resolved' },
) {
  const row = await update(trx, incident.workspace_id, incident.id, {
    state: 'resolved',
    resolved_at: ctx.now(),
    resolved_reason: reason,
  })
  if (row && notify)
    await emit(trx, 'slipway', row.workspace_id, 'alert.resolved', incidentTarget(row), reason)
  return row
}

async function remind(
  ctx: Context,
  trx: Trx,
  incident: OpenIncident,
  { change, observation }: IncidentStep & { change: 'started' | 'reminded' },
) {
  const row = await update(trx, incident.workspace_id, incident.id, {
    notified_at: ctx.now(),
    notification_count: incident.notification_count + 1,
    ...(observation && currentValues(observation)),
  })
  if (row) await emit(trx, 'slipway', row.workspace_id, `alert.${change}`, incidentTarget(row), row.summary)
  return row
}

/** Returns undefined when the incident is already resolved, for example because its alert was deleted. */
const update = (
  trx: Trx,
  workspaceId: Id<'workspace'>,
  id: Id<'incident'>,
  values: Updateable<Tables['incidents']>,
) =>
  trx
    .updateTable('incidents')
    .set(values)
    .where('workspace_id', '=', workspaceId)
    .where('id', '=', id)
    .where('state', '<>', 'resolved')
    .returningAll()
    .executeTakeFirst()
