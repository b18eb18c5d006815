import type { z } from 'zod'
import type { applicationVolume } from '../../../../contract/application-entries.ts'
import type { Mapping } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { forbidden } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../route.ts'
import { canActAsRoot } from '../../servers/act-as-root.ts'
import { getServerRow } from '../../servers/server.ts'
import { getApplicationRow } from '../application.ts'
import { checkHostMounts } from './host-mounts.ts'
import { listMountedVolumes, mountId } from './compose-volumes.ts'
import { listVolumeRows, type VolumeRow } from './entries-store.ts'
import type { EntryKind } from './entry-list.ts'
import { isBind, applicationVolumeName } from '../instance.ts'
import { applicationEntries } from './application-entries.ts'
import type { ApplicationRow } from '../store.ts'
import { measureVolumes } from './volume-sizes.ts'

export const volumes: EntryKind<VolumeRow, Mapping> = {
  table: 'volumes',
  field: 'volumes',
  what: 'mount',
  name: 'target',
  nameOf: ({ target }) => target,
  list: listVolumeRows,
  make: (_ctx, application, { source, target }, position) => ({
    id: newId('volume'),
    workspace_id: application.workspace_id,
    application_id: application.id,
    position,
    source,
    target,
  }),
  change: (_ctx, row, { source, target }) => ({ ...row, source, target }),
  async check({ ctx, actor, owner }, { before, changed }, prefixOf) {
    const asRoot = canActAsRoot(actor, await getServerRow(ctx, actor, owner.server_id))
    checkHostMounts(asRoot, changed, prefixOf)
    if (!asRoot && before.some(({ source }) => isBind(source)))
      throw forbidden(
        'This application mounts server folders, so only admins can change its volumes. Ask an admin.',
      )
  },
  ...applicationEntries('application.volumes_changed', 'The volumes'),
}

export async function listVolumes(ctx: Context, actor: Actor, id: Id<'application'>, withSizes: boolean) {
  const application = await getApplicationRow(ctx, actor, id)
  const volumes =
    application.compose_sealed === null
      ? (await listVolumeRows(ctx.db, actor.workspace.id, id)).map((row) => presentVolume(application, row))
      : (await listMountedVolumes(ctx, application)).map((one) => ({
          ...one,
          id: mountId(one),
          size_bytes: null,
        }))
  const names = volumes.flatMap(({ name }) => (name === null ? [] : [name]))
  if (!withSizes || names.length === 0) return volumes
  const server = await getServerRow(ctx, actor, application.server_id)
  const sizes = await measureVolumes(ctx, server, names)
  return volumes.map((one) => ({ ...one, size_bytes: sizes.get(one.name ?? '') ?? null }))
}

export function presentVolume(
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  { id, source, target }: VolumeRow,
): z.input<typeof applicationVolume> {
  const bind = isBind(source)
  const name = bind ? null : applicationVolumeName(application, source)
  return {
    id,
    source,
    target,
    type: bind ? 'bind' : 'volume',
    name,
    size_bytes: null,
    services: null,
  }
}
