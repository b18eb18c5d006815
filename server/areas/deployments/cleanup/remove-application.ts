import { sql } from 'kysely'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { nudge } from '../../../events.ts'
import type { JobRun } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import { DockerError, RemoteError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication } from '../../applications/application.ts'
import {
  type Instance,
  listInstances,
  belongsToInstance,
  hasGeneratedName,
  listManagedContainers,
} from '../../applications/instance.ts'
import { listLiveReleases } from '../../applications/release.ts'
import { applicationFolderPath } from '../../containers/application-folder.ts'
import { deleteOutput } from '../../outputs/output.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { removeNetworks } from '../compose/compose-networks.ts'
import { isRouted } from '../containers/route-targets.ts'
import { type Deletion, enqueueDeletion } from '../delete-application.ts'
import { removeOldImages } from '../images/release-images.ts'
import { removeUnusedNetworks } from '../networks/own-networks.ts'
import { removeSource } from '../source/source-work.ts'
import { inStopOrder } from './remove-instances.ts'
import { command } from '../../../remote/command.ts'
import { removeContainer, stopContainer } from '../../containers/docker-container.ts'

const removeTimeout = 300_000

export async function removeApplication(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
  deletion: Deletion,
  run: JobRun,
): Promise<void> {
  const application = await findApplication(ctx.db, workspaceId, id)
  if (!application?.deleting_at) return
  const server = await findServer(ctx, workspaceId, application.server_id)
  if (server && !deletion.leave) await clearServer(ctx, server, application, deletion, run.signal)
  await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    await deleteRows(trx, application)
  })
}

async function clearServer(
  ctx: Context,
  server: ServerRow,
  application: ApplicationRow,
  { volumes, folder }: Deletion,
  signal: AbortSignal,
): Promise<void> {
  const { workspace_id, id } = application
  const host = getServerHost(ctx, server)
  const { docker } = host
  if (await isRouted(ctx.db, application)) await leaveProxy(ctx, server, signal)
  await removeContainers(ctx, docker, id, await listInstances(ctx.db, workspace_id, id))
  signal.throwIfAborted()
  const releases = await listLiveReleases(ctx.db, workspace_id, id)
  await removeOldImages(docker, id, signal, async () => ({ releases, staying: [] }))
  for (const name of volumes) await removeVolume(ctx, docker, name)
  if (folder)
    await host.run(
      { ...command('rm', '-rf', '--', applicationFolderPath(application)), asRoot: true },
      { timeout: removeTimeout },
    )
  if (application.source_type === 'github') await removeSource(host, id)
  await removeNetworks(ctx, docker, application, new Set())
  await removeUnusedNetworks(ctx, docker, application)
}

/** Removes the routes first. A broken proxy does not block the deletion. */
async function leaveProxy(ctx: Context, server: ServerRow, signal: AbortSignal): Promise<void> {
  try {
    await syncProxy(ctx, server, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Problem || error instanceof RemoteError)) throw error
    ctx.log.info(
      { server: server.id, reason: error.message },
      'Failed to remove the routes of a deleted application; retrying',
    )
  }
}

async function removeContainers(
  ctx: Context,
  docker: Docker,
  application: Id<'application'>,
  instances: Instance[],
): Promise<void> {
  const made = await listManagedContainers(docker, application)
  const known = await inStopOrder(ctx, instances)
  const groups = known.map((together) =>
    made.filter((container) => together.some((instance) => belongsToInstance(container, instance))),
  )
  for (const group of [...groups, made.filter(hasGeneratedName)])
    await Promise.all(
      group.map(async ({ id }) => {
        await stopContainer(docker, id)
        await removeContainer(docker, id)
      }),
    )
}

/** Keeps a volume that another container uses. */
async function removeVolume(ctx: Context, docker: Docker, name: string): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: `/volumes/${encodeURIComponent(name)}` })
  } catch (error) {
    if (!(error instanceof DockerError && [404, 409].includes(error.status))) throw error
    if (error.status === 409)
      ctx.log.warn(
        { volume: name, reason: error.message },
        'Kept a volume of a deleted application: it is still in use',
      )
  }
}

async function deleteRows(trx: Trx, { workspace_id, id, server_id }: ApplicationRow): Promise<void> {
  const deployments = await trx
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('application_id', '=', id)
    .execute()
  const sources = deployments.map((deployment) => deployment.id)
  await deleteOutput(trx, workspace_id, sources)
  await trx.deleteFrom('applications').where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
  await nudge(trx, workspace_id, 'application.changed', id)
  await nudge(trx, workspace_id, 'image.changed', server_id)
}

/** Resumes deletions whose jobs were lost. Their volumes and folders are kept. */
export async function resumeDeletions(ctx: Context): Promise<void> {
  const { rows } = await sql<Pick<ApplicationRow, 'id' | 'workspace_id'>>`
    select id, workspace_id from applications a
    where deleting_at is not null and not exists (
      select from jobs j where j.key = 'application:' || a.id and j.state in ('queued', 'running'))`.execute(
    ctx.db,
  )
  for (const row of rows)
    await transaction(ctx.db, (trx) =>
      enqueueDeletion(ctx, trx, row, { volumes: [], folder: false, leave: false }),
    )
}
