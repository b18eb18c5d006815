import { createHash } from 'node:crypto'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { StaleCache } from '../../../platform/cache.ts'
import {
  type PersistentMount,
  listPersistentMounts,
  persistentMountsInWorker,
} from '../../compose/persistent-mounts.ts'
import { openCompose } from '../compose.ts'
import { openReleaseCompose, listLiveReleases } from '../release.ts'
import type { ApplicationRow } from '../application.ts'

/** Mounts of compose files have no row, so the ID is derived from their content. */
export const mountId = ({ type, source, target }: PersistentMount): Id<'volume'> =>
  `vol_${createHash('sha256')
    .update(JSON.stringify([type, source, target]))
    .digest('hex')
    .slice(0, 26)}`

export const createComposeMountCache = () =>
  new StaleCache<PersistentMount[]>(Infinity, 50_000, (mounts) => mounts.length + 1)

export async function listMountedVolumes(
  ctx: Context,
  application: ApplicationRow,
): Promise<PersistentMount[]> {
  const models = await listModels(ctx, application)
  const live = models.find(({ id }) => id === application.release_id)
  const now = live ? listPersistentMounts(application, live.model) : await readWritten(ctx, application)
  const names = new Set(now.map(({ name }) => name))
  const left = new Map<string | null, PersistentMount>()
  for (const { model } of models)
    for (const mount of listPersistentMounts(application, model))
      if (mount.type === 'volume' && !names.has(mount.name) && !left.has(mount.name))
        left.set(mount.name, { ...mount, services: [] })
  return [...now, ...left.values()]
}

async function readWritten(ctx: Context, application: ApplicationRow): Promise<PersistentMount[]> {
  const { id, slug, revision, workspace_id } = application
  const compose = openCompose(ctx, application)
  if (!compose) return []
  const read = () =>
    persistentMountsInWorker(`reads of ${workspace_id}`, { id, slug }, compose.text, compose.profiles)
  return (await ctx.composeMounts.get(`${id} ${revision}`, read, () => false)).value
}

export async function listComposeVolumes(ctx: Context, application: ApplicationRow): Promise<string[]> {
  const models = await listModels(ctx, application)
  const names = models.flatMap(({ model }) =>
    listPersistentMounts(application, model).flatMap(({ source, name }) => {
      const volume = Object.hasOwn(model.volumes, source) ? model.volumes[source] : undefined
      return name === null || volume?.external || volume?.name !== undefined ? [] : [name]
    }),
  )
  return [...new Set(names)]
}

async function listModels(ctx: Context, { workspace_id, id }: ApplicationRow) {
  const releases = await listLiveReleases(ctx.db, workspace_id, id)
  return releases.flatMap((release) => {
    const model = openReleaseCompose(ctx, release)?.model
    return model ? [{ id: release.id, model }] : []
  })
}
