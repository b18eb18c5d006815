import type { Id } from '../../../contract/shared/ids.ts'
import { formatSeconds } from '../../../contract/shared/seconds.ts'
import type { Context } from '../../context.ts'
import { conflict, notFound } from '../../errors.ts'
import { emit, type Target } from '../../events.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import { presentAlert, alertTarget, withLockedAlert } from './alert.ts'
import { presentIncident, incidentTarget } from './incident.ts'
import { lockIncident, setIncidentMuted, updateAlertRow } from './store.ts'

const muteEnd = (ctx: Context, seconds: number | null) =>
  seconds === null ? null : new Date(ctx.now().getTime() + seconds * 1_000)

export async function muteAlert(ctx: Context, actor: Actor, id: Id<'alert'>, seconds: number | null) {
  const row = await withLockedAlert(ctx, actor, id, async (trx, before) => {
    const muted_until = muteEnd(ctx, seconds)
    if (muted_until === null && before.muted_until === null) return before
    const muted = await updateAlertRow(trx, actor.workspace.id, id, { muted_until })
    await note(trx, actor, alertTarget(muted), seconds)
    return muted
  })
  return presentAlert(ctx, actor, row)
}

export async function muteIncident(ctx: Context, actor: Actor, id: Id<'incident'>, seconds: number | null) {
  const row = await transaction(ctx.db, async (trx) => {
    const before = await lockIncident(trx, actor.workspace.id, id)
    if (!before) throw notFound('This incident')
    if (before.state === 'resolved' && seconds !== null)
      throw conflict('incident_over', 'This incident is already resolved.')
    const until = muteEnd(ctx, seconds)
    if (until === null && before.muted_until === null) return before
    const muted = await setIncidentMuted(trx, actor.workspace.id, id, until)
    await note(trx, actor, incidentTarget(muted), seconds)
    return muted
  })
  return presentIncident(row)
}

const note = (trx: Trx, actor: Actor, target: Target, seconds: number | null) =>
  seconds === null
    ? emit(trx, actor, actor.workspace.id, 'alert.unmuted', target)
    : emit(trx, actor, actor.workspace.id, 'alert.muted', target, `for ${formatSeconds(seconds)}`)
