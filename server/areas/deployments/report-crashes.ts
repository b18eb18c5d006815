import { sql } from 'kysely'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { emit, nudge } from '../../events.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Docker, Host } from '../../remote/host.ts'
import type { Db, OpenConfig } from '../../tables.ts'
import { type ApplicationRow, findApplication, applicationTarget } from '../applications/application.ts'
import { toRestartPolicy, wasStoppedManually } from '../applications/changes/expected-container.ts'
import { containersAreLive } from '../containers/live.ts'
import type { ServerRow } from '../servers/server.ts'
import { createWakeSignal } from '../servers/watch/wake-signal.ts'
import type { Watcher } from '../servers/watcher.ts'
import { exitMessage, readExit, readLastLogLines } from './containers/container-failure.ts'
import { serviceSpec } from './containers/specification.ts'
import { createsRelease, openErrors, sealErrors, lockDeployment } from './run/deployment.ts'
import {
  type ContainerInspection,
  containerName,
  exitedSuccessfully,
  findInspection,
} from '../containers/docker-container.ts'

/** Fallback interval; container events trigger a check immediately. */
const pollInterval = 15_000

async function watchDeployments(
  ctx: Context,
  server: ServerRow,
  host: Host,
  signal: AbortSignal,
): Promise<void> {
  const bell = createWakeSignal()
  const off = ctx.bus.on('events', (payload) => {
    if (payload.includes(server.id) && payload.includes('container.changed')) bell.ring()
  })
  signal.addEventListener('abort', () => bell.ring(), { once: true })
  try {
    while (!signal.aborted) {
      await reportCrashes(ctx, server, host.docker)
      await bell.wait(pollInterval)
    }
  } finally {
    off()
  }
}

export const crashWatcher: Watcher = { name: 'deployments', watch: watchDeployments }

interface CrashCandidate {
  deployment: Id<'deployment'>
  application: Id<'application'>
  container: string
  restarts: number
  service: string
  config: OpenConfig
}

const lastLinesCount = 10

/** Detects containers that crash or restart in a loop shortly after going live. */
async function reportCrashes(ctx: Context, server: ServerRow, docker: Docker): Promise<void> {
  const suspects = await listCrashCandidates(ctx.db, server.workspace_id, server.id)
  for (const suspect of suspects) {
    const why = await crashReason(docker, suspect)
    const application = await findApplication(ctx.db, server.workspace_id, suspect.application)
    if (why && application && !application.deleting_at) await recordCrash(ctx, application, suspect, why)
  }
}

async function listCrashCandidates(db: Db, workspaceId: Id<'workspace'>, serverId: Id<'server'>) {
  const { rows } = await sql<CrashCandidate>`
    select d.id as deployment, d.application_id as application, c.id as container, c.restarts, i.service, r.config
    from deployments d
    join servers s on s.workspace_id = d.workspace_id and s.id = d.server_id and ${containersAreLive('s')}
    join instances i on i.workspace_id = d.workspace_id and i.deployment_id = d.id and i.state = 'serving'
    join releases r on r.workspace_id = i.workspace_id and r.id = i.release_id
    join containers c on c.workspace_id = i.workspace_id and c.server_id = i.server_id and c.id = i.container_id
    where d.workspace_id = ${workspaceId} and d.server_id = ${serverId}
      and d.watched_until > now() and d.crashed_at is null
      and (c.restarts > 0 or c.state in ('restarting', 'exited', 'dead'))
    order by d.id, c.restarts desc`.execute(db)
  return rows
}

async function crashReason(
  docker: Docker,
  { container, restarts, service, config }: CrashCandidate,
): Promise<string[] | undefined> {
  const inspected = await findInspection(docker, container)
  if (!inspected || (restarts === 0 && isManualStop(inspected))) return undefined
  const part = serviceSpec({ config, image_id: '' }, service)
  if (part.optional) return undefined
  if (part.completes && exitedSuccessfully(inspected)) return undefined
  const ending = await readExit(docker, inspected)
  const output = await readLastLogLines(docker, { id: container, tty: inspected.Config.Tty }, lastLinesCount)
  const ended = exitMessage(containerName(inspected), ending, part.memory_limit)
  return [
    service === ''
      ? `The container crashed shortly after going live. ${ended}`
      : `${service} crashed shortly after going live. ${ended}`,
    ...output,
  ]
}

const isManualStop = ({ State: state, HostConfig: host }: ContainerInspection) =>
  state.Status !== 'restarting' &&
  !state.OOMKilled &&
  wasStoppedManually(toRestartPolicy(host.RestartPolicy?.Name), state.ExitCode)

/** Records the crash and requests an automatic rollback if the application wants one. */
async function recordCrash(
  ctx: Context,
  application: ApplicationRow,
  { deployment }: CrashCandidate,
  reason: string[],
): Promise<void> {
  const { workspace_id, id } = application
  await transaction(ctx.db, async (trx) => {
    const crashed = await lockDeployment(trx, workspace_id, deployment)
    if (!crashed || crashed.crashed_at) return
    const errors_sealed = sealErrors(ctx, deployment, [...openErrors(ctx, crashed), ...reason])
    await trx
      .updateTable('deployments')
      .set({ crashed_at: ctx.now(), crash_reason: reason[0] ?? null, errors_sealed })
      .where('workspace_id', '=', workspace_id)
      .where('id', '=', deployment)
      .execute()
    await emit(
      trx,
      'slipway',
      workspace_id,
      'application.crashed',
      { ...applicationTarget(application), about: deployment },
      reason[0],
    )
    await nudge(trx, workspace_id, 'deployment.changed', id)
    // Do not roll back a rollback: it would loop.
    if (application.auto_rollback && createsRelease(crashed.type))
      await enqueue(ctx.secrets, trx, {
        kind: 'roll-back-crashed',
        payload: { workspace_id, application_id: id, deployment_id: deployment },
        lane: 'deploy',
      })
  })
}
