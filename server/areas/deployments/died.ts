import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Docker } from '../../remote/host.ts'
import type { Db, OpenConfig } from '../../tables.ts'
import { type ApplicationRow, findApplication, applicationTarget } from '../applications/application.ts'
import { toRestartPolicy, wasStoppedManually } from '../applications/changes/restart-policy.ts'
import { inspect, type Inspected, nameOf } from '../containers/inspect.ts'
import { isLive } from '../containers/live.ts'
import type { ServerRow } from '../servers/server.ts'
import { makesRelease } from './run/choose-release.ts'
import { hasEndedWell } from './containers/has-completed.ts'
import { lastWords } from './containers/last-words.ts'
import { partOf } from './containers/part.ts'
import { errorsOf, sealErrors } from './run/sealed-errors.ts'
import { lockDeployment } from './run/store.ts'
import { endingInWords, readEnding } from './containers/why-ended.ts'

/** A container that took the traffic a short while ago, and does not run as it did then. */
interface Suspect {
  deployment: Id<'deployment'>
  application: Id<'application'>
  container: string
  restarts: number
  service: string
  config: OpenConfig
}

/** How many of its last lines a person gets to see. */
const words = 10

/** Tells of those that died within minutes after they had taken the traffic, each deployment once. */
export async function tellOfDied(ctx: Context, server: ServerRow, docker: Docker): Promise<void> {
  const suspects = await listSuspects(ctx.db, server.workspace_id, server.id)
  for (const suspect of suspects) {
    const why = await whyDied(docker, suspect)
    const application = await findApplication(ctx.db, server.workspace_id, suspect.application)
    if (why && application && !application.deleting_at) await note(ctx, application, suspect, why)
  }
}

async function listSuspects(db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) {
  const { rows } = await sql<Suspect>`
    select d.id as deployment, d.application_id as application, c.id as container, c.restarts, i.service, r.config
    from deployments d
    join servers s on s.workspace_id = d.workspace_id and s.id = d.server_id and ${isLive('s')}
    join instances i on i.workspace_id = d.workspace_id and i.deployment_id = d.id and i.state = 'serving'
    join releases r on r.workspace_id = i.workspace_id and r.id = i.release_id
    join containers c on c.workspace_id = i.workspace_id and c.server_id = i.server_id and c.id = i.container_id
    where d.workspace_id = ${workspaceId} and d.server_id = ${serverId}
      and d.watched_until > now() and d.died_at is null
      and (c.restarts > 0 or c.state in ('restarting', 'exited', 'dead'))
    order by d.id, c.restarts desc`.execute(db)
  return rows
}

/** Nothing when it is gone by now, somebody stopped it, or it has done what it was for: that is not dying. */
async function whyDied(
  docker: Docker,
  { container, restarts, service, config }: Suspect,
): Promise<string[] | undefined> {
  const inspected = await inspect(docker, container)
  if (!inspected || (restarts === 0 && isStopped(inspected))) return undefined
  const part = partOf({ config, image_id: '' }, service)
  // Whoever deployed it was told if it was never well, and nothing is gone back from for it.
  if (part.optional) return undefined
  if (part.completes && hasEndedWell(inspected)) return undefined
  const ending = await readEnding(docker, inspected)
  const said = await lastWords(docker, { id: container, tty: inspected.Config.Tty }, words)
  const ended = endingInWords(nameOf(inspected), ending, part.memory_limit)
  return [
    service === ''
      ? `${ended} It crashed shortly after going live.`
      : `${service} crashed shortly after going live. ${ended}`,
    ...said,
  ]
}

const isStopped = ({ State: state, HostConfig: host }: Inspected) =>
  state.Status !== 'restarting' &&
  !state.OOMKilled &&
  wasStoppedManually(toRestartPolicy(host.RestartPolicy?.Name), state.ExitCode)

async function note(
  ctx: Context,
  application: ApplicationRow,
  { deployment }: Suspect,
  why: string[],
): Promise<void> {
  const { workspace_id, id } = application
  await transaction(ctx.db, async (trx) => {
    const died = await lockDeployment(trx, workspace_id, deployment)
    if (!died || died.died_at) return
    const errors_sealed = sealErrors(ctx, deployment, [...errorsOf(ctx, died), ...why])
    await trx
      .updateTable('deployments')
      .set({ died_at: ctx.now(), died_reason: why[0] ?? null, errors_sealed })
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', deployment)
      .execute()
    await emit(
      trx,
      'slipway',
      workspace_id,
      'application.died',
      { ...applicationTarget(application), about: deployment },
      why[0],
    )
    await nudge(trx, workspace_id, 'deployment.changed', id)
    // Whoever went back, or only began the same anew, would go round in a circle.
    if (application.auto_rollback && makesRelease(died.type))
      await enqueue(ctx.secrets, trx, {
        kind: 'roll-back-died',
        payload: { workspace_id, application_id: id, deployment_id: deployment },
        lane: 'deploy',
      })
  })
}
