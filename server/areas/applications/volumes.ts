import type { z } from 'zod'
import type { applicationVolume } from '../../../contract/application-entries.ts'
import type { Mapping } from '../../../contract/entries.ts'
import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import { getServerRow } from '../servers/server.ts'
import { getApplicationRow } from './application.ts'
import { checkBinds } from './binds.ts'
import { listVolumeRows, type VolumeRow } from './entries-store.ts'
import type { EntryKind } from './entry-list.ts'
import { isBind, volumeNameOf } from './instance.ts'
import type { ApplicationRow } from './store.ts'
import { measureVolumes } from './volume-sizes.ts'

export const volumes: EntryKind<VolumeRow, Mapping> = {
  table: 'volumes',
  field: 'volumes',
  what: 'mount',
  event: 'application.volumes_changed',
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
  check: checkBinds,
}

export async function listVolumes(ctx: Context, actor: Actor, id: Id<'application'>, withSizes: boolean) {
  const application = await getApplicationRow(ctx, actor, id)
  const rows = await listVolumeRows(ctx.db, actor.workspace.id, id)
  const names = rows.flatMap(({ source }) => (isBind(source) ? [] : [volumeNameOf(application, source)]))
  const sizes =
    withSizes && names.length > 0
      ? await measureVolumes(ctx, await getServerRow(ctx, actor, application.server_id), names)
      : new Map<string, number>()
  return rows.map((row) => presentVolume(application, row, sizes))
}

export function presentVolume(
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  { id, source, target }: VolumeRow,
  sizes: ReadonlyMap<string, number> = new Map(),
): z.input<typeof applicationVolume> {
  const bind = isBind(source)
  const name = bind ? null : volumeNameOf(application, source)
  return {
    id,
    source,
    target,
    type: bind ? 'bind' : 'volume',
    name,
    size_bytes: name === null ? null : (sizes.get(name) ?? null),
  }
}
