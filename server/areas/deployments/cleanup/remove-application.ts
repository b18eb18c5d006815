import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { Problem } from '../../../errors.ts'
import { nudge } from '../../../events.ts'
import type { Run } from '../../../platform/jobs.ts'
import { transaction } from '../../../platform/transaction.ts'
import { command } from '../../../remote/command.ts'
import { DockerError, RemoteError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import type { Trx } from '../../../tables.ts'
import { type ApplicationRow, findApplication } from '../../applications/application.ts'
import { type Instance, listInstances } from '../../applications/instance.ts'
import { listLiveReleases } from '../../applications/release.ts'
import { applicationFolderOf } from '../../containers/application-folder.ts'
import { forgetOutput } from '../../outputs/output.ts'
import { syncProxy } from '../../proxies/proxy.ts'
import { hostOf } from '../../servers/reach.ts'
import { findServer, type ServerRow } from '../../servers/server.ts'
import { removeNetworks } from '../compose/compose-networks.ts'
import { isNamedByUs, isOf, listMade, removeContainer, stopContainer } from '../containers/containers.ts'
import type { Deletion } from '../delete-application.ts'
import { removeSpareNetworks } from '../networks/own-networks.ts'
import { letImagesGo } from '../images/release-images.ts'
import { isRouted } from '../containers/routed.ts'
import { removeSource } from '../source/source-work.ts'
import { inStopOrder } from './stop-order.ts'

/** Milliseconds that much in a folder may take to go. */
const patience = 300_000

/** What is left of an application that is deleted: on its server, then its rows. Safe to do again. */
export async function removeApplication(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  id: Id<'application'>,
  deletion: Deletion,
  run: Run,
): Promise<void> {
  const application = await findApplication(ctx.db, workspaceId, id)
  if (!application?.deleting_at) return
  const server = await findServer(ctx, workspaceId, application.server_id)
  if (server && !deletion.leave) await clearServer(ctx, server, application, deletion, run.signal)
  await transaction(ctx.db, async (trx) => {
    await run.stillMine(trx)
    await forget(trx, application)
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
  const host = hostOf(ctx, server)
  const { docker } = host
  if (await isRouted(ctx.db, application)) await leaveProxy(ctx, server, signal)
  await removeContainers(ctx, docker, id, await listInstances(ctx.db, workspace_id, id))
  signal.throwIfAborted()
  const releases = await listLiveReleases(ctx.db, workspace_id, id)
  await letImagesGo(docker, id, signal, async () => ({ releases, staying: [] }))
  for (const name of volumes) await removeVolume(ctx, docker, name)
  if (folder)
    await host.run(
      { ...command('rm', '-rf', '--', applicationFolderOf(application)), asRoot: true },
      { timeout: patience },
    )
  if (application.source_type === 'github') await removeSource(host, id)
  await removeNetworks(ctx, docker, application, new Set())
  await removeSpareNetworks(ctx, docker, application)
}

/** So that no request is sent to a container that is about to end. A proxy that is broken holds nothing up. */
async function leaveProxy(ctx: Context, server: ServerRow, signal: AbortSignal): Promise<void> {
  try {
    await syncProxy(ctx, server, signal)
  } catch (error) {
    signal.throwIfAborted()
    if (!(error instanceof Problem || error instanceof RemoteError)) throw error
    ctx.log.info(
      { server: server.id, why: error.message },
      'Could not remove the routes of a deleted application from the proxy yet.',
    )
  }
}

/** Each gets its own time to end by itself; what was made and no row knows goes as well. */
async function removeContainers(
  ctx: Context,
  docker: Docker,
  application: Id<'application'>,
  instances: Instance[],
): Promise<void> {
  const made = await listMade(docker, application)
  const known = await inStopOrder(ctx, instances)
  const groups = known.map((together) =>
    made.filter((one) => together.some((instance) => isOf(one, instance))),
  )
  for (const group of [...groups, made.filter(isNamedByUs)])
    await Promise.all(
      group.map(async ({ id }) => {
        await stopContainer(docker, id)
        await removeContainer(docker, id)
      }),
    )
}

/** One that somebody else has come to use stays: their data is not ours to take. */
async function removeVolume(ctx: Context, docker: Docker, name: string): Promise<void> {
  try {
    await docker.json({ method: 'DELETE', path: `/volumes/${encodeURIComponent(name)}` })
  } catch (error) {
    if (!(error instanceof DockerError && [404, 409].includes(error.status))) throw error
    if (error.status === 409)
      ctx.log.warn(
        { volume: name, why: error.message },
        'A volume of a deleted application is still in use and was kept.',
      )
  }
}

async function forget(trx: Trx, { workspace_id, id, server_id }: ApplicationRow): Promise<void> {
  const deployments = await trx
    .selectFrom('deployments')
    .select('id')
    .where('workspace_id', '=', workspace_id)
    .where('application_id', '=', id)
    .execute()
  const sources = deployments.map((deployment) => deployment.id)
  await forgetOutput(trx, workspace_id, sources)
  await trx.deleteFrom('applications').where('workspace_id', '=', workspace_id).where('id', '=', id).execute()
  await nudge(trx, workspace_id, 'application.changed', id)
  await nudge(trx, workspace_id, 'image.changed', server_id)
}
