import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { conflict, Invalid, notFound } from '../../errors.ts'
import { emit, nudge } from '../../events.ts'
import { enqueue } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Docker } from '../../remote/host.ts'
import type { Actor } from '../../route.ts'
import type { Trx } from '../../tables.ts'
import {
  type ApplicationRow,
  changeApplication,
  getApplicationRow,
  lockApplication,
  applicationTarget,
} from '../applications/application.ts'
import { requestProxySync } from '../servers/proxy-sync.ts'
import { withServerHost } from '../servers/server-host.ts'
import { getServerRow } from '../servers/server.ts'
import { stopDeployment } from './cancel-deployment.ts'
import { lockUnfinished } from './run/deployment.ts'
import { listComposeVolumes } from '../applications/entries/compose-volumes.ts'
import {
  isBind,
  listInstances,
  applicationVolumeName,
  belongsToApplication,
  listDockerContainers,
} from '../applications/instance.ts'

const requestTimeout = 10_000

export async function deleteApplication(
  ctx: Context,
  actor: Actor,
  id: Id<'application'>,
  { volumes: given, folder, leave }: { volumes?: string | undefined; folder: boolean; leave: boolean },
): Promise<void> {
  const application = await getApplicationRow(ctx, actor, id)
  const server = await getServerRow(ctx, actor, application.server_id)
  const volumes = [...new Set((given ?? '').split(',').map((name) => name.trim()))].filter(Boolean)
  if (folder && leave) throw new Invalid({ folder: [unreachableNotice('Keep the folder')] })
  await checkVolumeNames(ctx, application, volumes, leave)
  if (!leave)
    await withServerHost(ctx, server, ({ docker }) => checkVolumeUse(ctx, docker, application, volumes))
  await transaction(ctx.db, async (trx) => {
    const now = await lockApplication(trx, actor.workspace.id, id)
    if (!now || now.deleting_at) throw notFound('This application')
    await changeApplication(trx, now.workspace_id, id, { deleting_at: new Date(), wanted: 'stopped' })
    await cancelDeployments(trx, now)
    await requestProxySync(ctx, trx, now)
    await enqueueDeletion(ctx, trx, now, { volumes, folder, leave })
    const gone = [
      ...(volumes.length > 0 ? [`the ${volumeList(volumes)}`] : []),
      ...(folder ? ['its folder'] : []),
    ]
    const detail = gone.length > 0 ? `with ${gone.join(' and ')}` : undefined
    await emit(trx, actor, now.workspace_id, 'application.deleted', applicationTarget(now), detail)
  })
}

const unreachableNotice = (instead: string) =>
  `You cannot delete volumes or folders while the server is unreachable. ${instead}, or try again later.`

const volumeList = (volumes: string[]) => `volume${volumes.length === 1 ? '' : 's'} ${volumes.join(', ')}`

async function checkVolumeNames(
  ctx: Context,
  application: ApplicationRow,
  volumes: string[],
  leave: boolean,
): Promise<void> {
  if (volumes.length === 0) return
  const own = await listVolumeNames(ctx, application)
  const strange = volumes.filter((name) => !own.includes(name))
  if (strange.length > 0)
    throw new Invalid({
      volumes: strange.map((name) => `Volume ${name} does not belong to ${application.name}.`),
    })
  if (leave) throw new Invalid({ volumes: [unreachableNotice('Keep the volumes')] })
}

/** Reports volumes in use and an unreachable server before the deletion starts. */
async function checkVolumeUse(
  ctx: Context,
  docker: Docker,
  application: ApplicationRow,
  volumes: string[],
): Promise<void> {
  await docker.json({ path: '/version', timeout: requestTimeout })
  for (const name of volumes) {
    const [user] = await listVolumeUsers(ctx, docker, application, name)
    if (user !== undefined)
      throw conflict(
        'volume_in_use',
        `The volume ${name} is also used by the container ${user}, which does not belong to ${application.name}. Remove that container first, or keep the volume.`,
      )
  }
}

/** The deletion job waits until canceled deployments are reverted, and until those that are already live finish. */
async function cancelDeployments(trx: Trx, { workspace_id, id }: ApplicationRow): Promise<void> {
  for (const one of await lockUnfinished(trx, workspace_id, id))
    if (one.switched_at === null) await stopDeployment(trx, one)
  await nudge(trx, workspace_id, 'deployment.changed', id)
}

export interface Deletion {
  volumes: string[]
  folder: boolean
  leave: boolean
}

export const enqueueDeletion = (
  { secrets }: Pick<Context, 'secrets'>,
  trx: Trx,
  { workspace_id, id }: Pick<ApplicationRow, 'workspace_id' | 'id'>,
  deletion: Deletion,
) =>
  enqueue(secrets, trx, {
    kind: 'delete-application',
    payload: { workspace_id, application_id: id, ...deletion },
    key: `application:${id}`,
    lane: 'drain',
    // A server may be unreachable for days.
    attempts: 10_000,
  })

async function listVolumeNames(ctx: Context, application: ApplicationRow): Promise<string[]> {
  if (application.compose_sealed !== null) return listComposeVolumes(ctx, application)
  const { workspace_id, id } = application
  const { db } = ctx
  const now = await db
    .selectFrom('volumes')
    .select('source')
    .where('workspace_id', '=', workspace_id)
    .where('application_id', '=', id)
    .execute()
  const releases = await db
    .selectFrom('releases')
    .select('config')
    .where('workspace_id', '=', workspace_id)
    .where('application_id', '=', id)
    .execute()
  const all = [...now, ...releases.flatMap(({ config }) => config.volumes)]
  const named = all.map(({ source }) => source).filter((source) => !isBind(source))
  return [...new Set(named)].map((source) => applicationVolumeName(application, source))
}

async function listVolumeUsers(
  { db }: Pick<Context, 'db'>,
  docker: Docker,
  { workspace_id, id }: ApplicationRow,
  volume: string,
): Promise<string[]> {
  const instances = await listInstances(db, workspace_id, id)
  const users = await listDockerContainers(docker, { volume: [volume] })
  return users
    .filter((user) => user.application !== id || !belongsToApplication(user, instances))
    .map(({ name }) => name)
}
