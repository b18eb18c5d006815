import type { PlannedService } from '../../../tables.ts'
import { listInstances } from '../../applications/instance.ts'
import { environmentOf } from '../../applications/release.ts'
import { type Attempt, Over, releaseOf, writeAs } from '../run/attempt.ts'
import { withoutValues } from '../run/environment.ts'
import { modelFor } from '../compose/model-for.ts'
import { moveWarnings } from '../compose/move-warnings.ts'
import { messageOfPlan } from '../run/plan-message.ts'
import { planServices } from '../compose/plan-services.ts'
import { updateDeployment } from '../run/store.ts'

/** What is done with each service is decided once, and written down: what runs is another from here on. */
export async function decide(attempt: Attempt): Promise<void> {
  if (attempt.deployment.plan) return
  const plan = await planOfRelease(attempt)
  attempt.deployment = await writeAs(attempt, async (trx) => {
    const { workspace_id, id } = attempt.deployment
    const now = await updateDeployment(trx, workspace_id, id, {
      plan: JSON.stringify(plan),
      ...(isNamedByPlan(attempt, plan) && { message: messageOfPlan(plan) }),
    })
    if (!now) throw new Over()
    return now
  })
  const { ctx, application, server } = attempt
  for (const warning of await moveWarnings(ctx.db, application, server)) attempt.log.say(warning)
  for (const { service, action, why } of plan)
    if (service !== '')
      attempt.log.say(`${service}: ${said[action]}${why.length > 0 ? `. ${why.join(' ')}` : ''}`)
}

/** When it was asked for, nobody knew yet what it would do. */
const isNamedByPlan = ({ deployment: { type } }: Attempt, plan: readonly PlannedService[]) =>
  type === 'deploy_application' && plan.some(({ service }) => service !== '')

const said: Record<PlannedService['action'], string> = {
  added: 'new service',
  rolled: 'rolling update, zero downtime',
  recreated: 'stopped and recreated, with downtime',
  unchanged: 'unchanged',
  removed: 'removed',
}

async function planOfRelease(attempt: Attempt): Promise<PlannedService[]> {
  const { ctx, application, server, deployment, signal } = attempt
  const release = releaseOf(attempt)
  const model = await modelFor(attempt)
  if (model) {
    const planned = await planServices(
      { ctx, application, server },
      { model, services: release.config.services ?? [] },
      { all: deployment.type === 'restart_application', signal },
    )
    const env = environmentOf(ctx, release)
    return planned.map((one) => ({ ...one, why: one.why.map((said) => withoutValues(said, env)) }))
  }
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  const runs = all.some(({ state }) => state === 'serving' || state === 'held')
  const action = !runs ? 'added' : release.config.stop_first ? 'recreated' : 'rolled'
  return [{ service: '', action, why: [] }]
}
