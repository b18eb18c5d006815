import type { PlannedService, Db } from '../../../tables.ts'
import { type ApplicationRow, hasOthers } from '../../applications/application.ts'
import { listMoves } from '../../applications/changes/network-changes.ts'
import { listInstances } from '../../applications/instance.ts'
import { environmentOf } from '../../applications/release.ts'
import type { ServerRow } from '../../servers/server.ts'
import { planServices } from '../compose/plan-services.ts'
import { loadModel } from '../compose/read-compose.ts'
import { planMessage } from '../run/choose-release.ts'
import { type DeploymentRun, DeploymentEnded, requireRelease, writeWithLease } from '../run/deployment-run.ts'
import { maskValues } from '../run/mask-values.ts'
import { updateDeployment } from '../run/store.ts'

/** Decides once what happens to each service, and saves it: from here on the running services change. */
export async function decidePlan(attempt: DeploymentRun): Promise<void> {
  if (attempt.deployment.plan) return
  const plan = await planOfRelease(attempt)
  attempt.deployment = await writeWithLease(attempt, async (trx) => {
    const { workspace_id, id } = attempt.deployment
    const now = await updateDeployment(trx, workspace_id, id, {
      plan: JSON.stringify(plan),
      ...(usesPlanMessage(attempt, plan) && { message: planMessage(plan) }),
    })
    if (!now) throw new DeploymentEnded()
    return now
  })
  const { ctx, application, server } = attempt
  for (const warning of await moveWarnings(ctx.db, application, server)) attempt.log.write(warning)
  for (const { service, action, reasons } of plan)
    if (service !== '')
      attempt.log.write(
        `${service}: ${actionLabels[action]}${reasons.length > 0 ? `. ${reasons.join(' ')}` : ''}`,
      )
}

/** The plan was unknown when the deployment was requested. */
const usesPlanMessage = ({ deployment: { type } }: DeploymentRun, plan: readonly PlannedService[]) =>
  type === 'deploy_application' && plan.some(({ service }) => service !== '')

const actionLabels: Record<PlannedService['action'], string> = {
  added: 'new service',
  rolled: 'rolling update, zero downtime',
  recreated: 'stopped and recreated, with downtime',
  unchanged: 'unchanged',
  removed: 'removed',
}

async function planOfRelease(attempt: DeploymentRun): Promise<PlannedService[]> {
  const { ctx, application, server, deployment, signal } = attempt
  const release = requireRelease(attempt)
  const model = await loadModel(attempt)
  if (model) {
    const planned = await planServices(
      { ctx, application, server },
      { model, services: release.config.services ?? [] },
      { all: deployment.type === 'restart_application', signal },
    )
    const env = environmentOf(ctx, release)
    return planned.map((one) => ({ ...one, reasons: one.reasons.map((said) => maskValues(said, env)) }))
  }
  const all = await listInstances(ctx.db, application.workspace_id, application.id)
  const runs = all.some(({ state }) => state === 'serving' || state === 'held')
  const action = !runs ? 'added' : release.config.stop_first ? 'recreated' : 'rolled'
  return [{ service: '', action, reasons: [] }]
}

/** Warns that a deployment moves an application out of the shared network. */
export async function moveWarnings(
  db: Db,
  { workspace_id, id, server_id, slug, compose_sealed }: ApplicationRow,
  { name }: Pick<ServerRow, 'name'>,
): Promise<string[]> {
  const [move] = await listMoves(db, workspace_id, [id])
  if (!move?.isShared) return []
  const isFile = compose_sealed !== null
  const moves = `This deployment moves the application from the shared network of ${name} to its own network${isFile ? '; unchanged services are not restarted' : ''}.`
  if (move.project !== null || !(await hasOthers(db, workspace_id, server_id, id))) return [moves]
  return [
    `${moves} Other applications can no longer reach it at ${isFile ? `${slug}-<service>` : slug}. To keep that, add them to one project, enable its network and redeploy each of them.`,
  ]
}
