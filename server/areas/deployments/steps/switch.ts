import { nudge } from '../../../events.ts'
import type { Trx } from '../../../tables.ts'
import { changeApplication } from '../../applications/application.ts'
import { type Instance, listInstances, updateInstance } from '../../applications/instance.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { type Attempt, Cancelled, releaseOf, writeBoth } from '../attempt.ts'
import { isRouted } from '../routed.ts'
import { updateDeployment } from '../store.ts'
import { untilAllAreWell } from './wait.ts'

/**
 * In one moment the new containers take the traffic and the old ones get no more of it. Where something came in between
 * they may have ended since they were well, so they are looked at again.
 */
export async function switchOver(attempt: Attempt): Promise<void> {
  const { ctx, application, signal, deployment } = attempt
  if (!deployment.switched_at) {
    if (attempt.wasInterrupted && deployment.type !== 'stop_application') await untilAllAreWell(attempt)
    await turn(attempt)
  }
  if (await isRouted(ctx.db, application)) await syncProxy(ctx, attempt.server, signal)
}

/** From here on it cannot be cancelled. */
async function turn(attempt: Attempt): Promise<void> {
  const { ctx, deployment } = attempt
  const { workspace_id, application_id } = deployment
  const release = releaseOf(attempt)
  const isStop = deployment.type === 'stop_application'
  attempt.deployment = await writeBoth(attempt, async (trx, now, application) => {
    if (now.cancel_requested_at) throw new Cancelled()
    const all = await listInstances(trx, workspace_id, application_id)
    const drain_until = new Date(ctx.now().getTime() + release.config.drain_seconds * 1_000)
    for (const one of all)
      if (one.state === 'serving' && one.deployment_id !== deployment.id)
        await updateInstance(trx, workspace_id, one.id, {
          state: 'draining',
          drain_until,
          drained_by: deployment.id,
        })
    if (!isStop) await serve(trx, deployment.id, all)
    await changeApplication(
      trx,
      workspace_id,
      application_id,
      isStop ? { wanted: 'stopped' } : { wanted: 'running', release_id: release.id },
    )
    await nudge(trx, workspace_id, 'application.changed', application_id)
    const changed = await updateDeployment(trx, workspace_id, deployment.id, {
      switched_at: ctx.now(),
      replaced_release_id: application.release_id,
      replaced_wanted: application.wanted,
    })
    return changed ?? now
  })
}

/** Each in a place of the proxy's lists that nobody has. */
async function serve(trx: Trx, deployment: Attempt['deployment']['id'], all: Instance[]): Promise<void> {
  const taken = new Set(all.map(({ slot }) => slot))
  let slot = 1
  for (const one of all.filter(({ deployment_id }) => deployment_id === deployment)) {
    while (taken.has(slot)) slot++
    taken.add(slot)
    await updateInstance(trx, one.workspace_id, one.id, { state: 'serving', slot })
  }
}

/** The proxy did not take it: what this took the traffic from serves again. Whether there was anything to turn back. */
export async function turnBack(attempt: Attempt): Promise<boolean> {
  const { workspace_id, application_id, id } = attempt.deployment
  if (!attempt.deployment.switched_at) return false
  attempt.deployment = await writeBoth(attempt, async (trx, now) => {
    for (const one of await listInstances(trx, workspace_id, application_id)) {
      if (one.deployment_id === id)
        await updateInstance(trx, workspace_id, one.id, { state: 'starting', slot: null })
      else if (one.state === 'draining' && one.slot !== null && one.drained_by === id)
        await updateInstance(trx, workspace_id, one.id, {
          state: 'serving',
          drain_until: null,
          drained_by: null,
        })
    }
    await changeApplication(trx, workspace_id, application_id, {
      release_id: now.replaced_release_id,
      wanted: now.replaced_wanted ?? 'running',
    })
    await nudge(trx, workspace_id, 'application.changed', application_id)
    return (await updateDeployment(trx, workspace_id, id, { switched_at: null })) ?? now
  })
  return true
}
