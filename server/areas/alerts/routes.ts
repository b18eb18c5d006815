import * as contract from '../../../contract/alerts.ts'
import * as incidents from '../../../contract/incidents.ts'
import { type Actor, route, successReply } from '../../route.ts'
import {
  alertTarget,
  assertScopeExists,
  getAlert,
  listAlerts,
  presentAlert,
  withLockedAlert,
} from './alert.ts'
import { getIncident, incidentTarget, listIncidents } from './incident.ts'
import { muteAlert, muteIncident } from './mute.ts'
import { previewAlert } from './preview.ts'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit } from '../../events.ts'
import {
  deleteAlertRow,
  deletePendingIncidents,
  insertAlert,
  listAlertChannels,
  lockChannels,
  replaceAlertChannels,
  resolveFiringIncidents,
  updateAlertRow,
} from './store.ts'
import { isDeepStrictEqual } from 'node:util'
import {
  type AlertChanges,
  applyAlertChanges,
  assertValidDefinition,
  type NewAlert,
  toAlertColumns,
  toAlertDefinition,
} from './definition.ts'
import { newId } from '../../platform/ids.ts'
import { transaction } from '../../platform/transaction.ts'
import { Invalid } from '../../errors.ts'
import type { Trx } from '../../tables.ts'
import type { AlertRow } from './observer.ts'

async function createAlert(ctx: Context, actor: Actor, input: NewAlert) {
  const definition = toAlertDefinition(input)
  assertValidDefinition(input.kind, definition, definition.windows)
  const { id: workspace_id } = actor.workspace
  const row = await transaction(ctx.db, async (trx) => {
    await assertScopeExists(trx, workspace_id, definition.scope)
    await assertChannelsExist(trx, workspace_id, input.channels)
    const made = await insertAlert(trx, {
      ...toAlertColumns(definition),
      id: newId('alert'),
      workspace_id,
      kind: input.kind,
      all_channels: (input.channels ?? null) === null,
    })
    await updateAlertChannels(trx, made, input.channels)
    await emit(trx, actor, workspace_id, 'alert.created', alertTarget(made))
    return made
  })
  return presentAlert(ctx, actor, row)
}

async function updateAlert(ctx: Context, actor: Actor, id: Id<'alert'>, input: AlertChanges) {
  const { id: workspaceId } = actor.workspace
  const row = await withLockedAlert(ctx, actor, id, async (trx, before) => {
    const definition = applyAlertChanges(before, input)
    assertValidDefinition(before.kind, definition, definition.windows)
    // Check the scope only when it changes, so that an alert whose scope was deleted can still be edited.
    if (!isDeepStrictEqual(definition.scope, applyAlertChanges(before, {}).scope))
      await assertScopeExists(trx, workspaceId, definition.scope)
    await assertChannelsExist(trx, workspaceId, input.channels)
    const channelsChanged = await updateAlertChannels(trx, before, input.channels)
    if (!channelsChanged && isDeepStrictEqual(definition, applyAlertChanges(before, {}))) return before
    const changes = toAlertColumns(definition)
    const all_channels = input.channels === undefined ? before.all_channels : input.channels === null
    const changed = await updateAlertRow(trx, workspaceId, id, { ...changes, all_channels })
    await emit(trx, actor, workspaceId, 'alert.updated', alertTarget(changed))
    return changed
  })
  return presentAlert(ctx, actor, row)
}

const DELETED_REASON = 'The alert was deleted.'

const deleteAlert = (ctx: Context, actor: Actor, id: Id<'alert'>): Promise<void> =>
  withLockedAlert(ctx, actor, id, async (trx, alert) => {
    const { id: workspaceId } = actor.workspace
    await deletePendingIncidents(trx, workspaceId, id)
    for (const incident of await resolveFiringIncidents(trx, workspaceId, id, DELETED_REASON))
      if (incident.notification_count > 0)
        await emit(trx, 'slipway', workspaceId, 'alert.resolved', incidentTarget(incident), DELETED_REASON)
    await deleteAlertRow(trx, workspaceId, id)
    await emit(trx, actor, workspaceId, 'alert.deleted', alertTarget(alert))
  })

export const routes = [
  route(contract.listAlerts, (ctx, { caller, query }) => listAlerts(ctx, caller, query)),
  route(contract.createAlert, async (ctx, { caller, body }) => ({
    alert: await createAlert(ctx, caller, body),
  })),
  route(contract.getAlert, async (ctx, { caller, params }) => ({
    alert: await getAlert(ctx, caller, params.id),
  })),
  route(contract.updateAlert, async (ctx, { caller, params, body }) => ({
    alert: await updateAlert(ctx, caller, params.id, body),
  })),
  route(contract.deleteAlert, async (ctx, { caller, params }) => {
    await deleteAlert(ctx, caller, params.id)
    return successReply
  }),
  route(contract.muteAlert, async (ctx, { caller, params, body }) => ({
    alert: await muteAlert(ctx, caller, params.id, body.seconds),
  })),
  route(contract.previewAlert, async (ctx, { caller, body }) => ({
    preview: await previewAlert(ctx, caller, body),
  })),
  route(incidents.listIncidents, (ctx, { caller, query }) => listIncidents(ctx, caller, query)),
  route(incidents.getIncident, async (ctx, { caller, params }) => ({
    incident: await getIncident(ctx, caller, params.id),
  })),
  route(incidents.muteIncident, async (ctx, { caller, params, body }) => ({
    incident: await muteIncident(ctx, caller, params.id, body.seconds),
  })),
]

type Chosen = Id<'notification'>[] | null | undefined

async function assertChannelsExist(trx: Trx, workspaceId: Id<'workspace'>, chosen: Chosen): Promise<void> {
  if (!chosen || chosen.length === 0) return
  const existing = await lockChannels(trx, workspaceId, chosen)
  if (existing.length < new Set(chosen).size)
    throw new Invalid({ channels: ['One of these channels does not exist in this workspace.'] })
}

async function updateAlertChannels(
  trx: Trx,
  { id, workspace_id, all_channels }: AlertRow,
  chosen: Chosen,
): Promise<boolean> {
  if (chosen === undefined) return false
  const previous = await listAlertChannels(trx, workspace_id, [id])
  const requested = [...new Set(chosen)].toSorted()
  const had = previous.map(({ notification_id }) => notification_id).toSorted()
  if (all_channels === (chosen === null) && requested.join() === had.join()) return false
  await replaceAlertChannels(trx, workspace_id, id, requested)
  return true
}
