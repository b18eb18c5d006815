import type { Context } from '../../context.ts'
import type { Docker } from '../../remote/host.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { listComposeVolumes } from '../applications/compose-volumes.ts'
import { isBind, listInstances, volumeNameOf } from '../applications/instance.ts'
import { isOneOf, listContainers } from './containers.ts'

/** What Docker calls the volumes of an application: those that it has, and those that one of its releases had. */
export async function listVolumeNames(ctx: Context, application: ApplicationRow): Promise<string[]> {
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
  return [...new Set(named)].map((source) => volumeNameOf(application, source))
}

/** The containers of others that have it mounted. */
export async function listVolumeUsers(
  { db }: Pick<Context, 'db'>,
  docker: Docker,
  { workspace_id, id }: ApplicationRow,
  volume: string,
): Promise<string[]> {
  const instances = await listInstances(db, workspace_id, id)
  const users = await listContainers(docker, { volume: [volume] })
  return users.filter((one) => one.application !== id || !isOneOf(one, instances)).map(({ name }) => name)
}
