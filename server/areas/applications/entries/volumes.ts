import type { z } from 'zod'
import type { applicationVolume } from '../../../../contract/application-entries.ts'
import type { Mapping } from '../../../../contract/shared/entries.ts'
import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { forbidden, Invalid } from '../../../errors.ts'
import { newId } from '../../../platform/ids.ts'
import type { Actor } from '../../../route.ts'
import { getServerRow, type ServerRow } from '../../servers/server.ts'
import { canActAsRoot } from '../../servers/root-access.ts'
import { type ApplicationRow, getApplicationRow } from '../application.ts'
import { listMountedVolumes, mountId } from './compose-volumes.ts'
import { listVolumeRows, type VolumeRow } from '../config.ts'
import { applicationEntries, type EntryKind } from './entry-list.ts'
import { applicationVolumeName, isBind } from '../instance.ts'
import { isSystemPath, protectedPathMessage } from '../../compose/privileges/host-paths.ts'
import { LRUCache } from 'lru-cache'
import { RemoteError } from '../../../remote/errors.ts'
import type { Docker } from '../../../remote/host.ts'
import { getServerHost } from '../../servers/server-host.ts'

export const volumes: EntryKind<VolumeRow, Mapping, z.input<typeof applicationVolume>> = {
  table: 'volumes',
  field: 'volumes',
  what: 'mount',
  name: 'target',
  getName: ({ target }) => target,
  list: listVolumeRows,
  create: (_ctx, application, { source, target }, position) => ({
    id: newId('volume'),
    workspace_id: application.workspace_id,
    application_id: application.id,
    position,
    source,
    target,
  }),
  change: (_ctx, row, { source, target }) => ({ ...row, source, target }),
  present: (_ctx, row, application) => presentVolume(application, row),
  async check({ ctx, actor, owner }, { before, changed }, toPrefix) {
    const asRoot = canActAsRoot(actor, await getServerRow(ctx, actor, owner.server_id))
    checkHostMounts(asRoot, changed, toPrefix)
    if (!asRoot && before.some(({ source }) => isBind(source)))
      throw forbidden('This application mounts server folders. Ask a workspace admin to change its volumes.')
  },
  ...applicationEntries('application.volumes_changed', 'The volumes'),
}

export async function listVolumes(ctx: Context, actor: Actor, id: Id<'application'>, withSizes: boolean) {
  const application = await getApplicationRow(ctx, actor, id)
  const volumes =
    application.compose_sealed === null
      ? (await listVolumeRows(ctx.db, actor.workspace.id, id)).map((row) => presentVolume(application, row))
      : (await listMountedVolumes(ctx, application)).map((mount) => ({
          ...mount,
          id: mountId(mount),
          size_bytes: null,
        }))
  const names = volumes.flatMap(({ name }) => (name === null ? [] : [name]))
  if (!withSizes || names.length === 0) return volumes
  const server = await getServerRow(ctx, actor, application.server_id)
  const sizes = await measureVolumes(ctx, server, names)
  return volumes.map((volume) => ({ ...volume, size_bytes: sizes.get(volume.name ?? '') ?? null }))
}

function presentVolume(
  application: Pick<ApplicationRow, 'id' | 'slug'>,
  { id, source, target }: VolumeRow,
): z.input<typeof applicationVolume> {
  const bind = isBind(source)
  return {
    id,
    source,
    target,
    type: bind ? 'bind' : 'volume',
    name: bind ? null : applicationVolumeName(application, source),
    size_bytes: null,
    services: null,
  }
}

interface Mount {
  source: string
}

export function checkHostMounts<M extends Mount>(
  asRoot: boolean,
  changed: readonly M[],
  toPrefix: (mount: M) => string,
): void {
  const binds = changed.filter(({ source }) => isBind(source))
  if (binds.length > 0 && !asRoot)
    throw forbidden(
      'Only admins can mount server folders, and on This machine only instance owners. Use a volume such as data, or ask one of them to mount the folder.',
    )
  const refused = binds.filter(({ source }) => isSystemPath(source))
  if (refused.length > 0)
    throw new Invalid(
      Object.fromEntries(
        refused.map((mount) => [`${toPrefix(mount)}source`, [protectedPathMessage(mount.source)]]),
      ),
    )
}

interface DiskUsage {
  Volumes: { Name: string; UsageData?: { Size: number } | null }[] | null
}

/** Docker reads every file of every volume, so measure all volumes together and rarely. */
export const createVolumeSizeCache = () =>
  new LRUCache<Id<'server'>, Promise<Map<string, number>>>({ max: 1_000, ttl: 60_000 })

const MEASURE_TIMEOUT_MS = 60_000

async function measureVolumes(
  ctx: Context,
  server: ServerRow,
  names: string[],
): Promise<Map<string, number>> {
  try {
    const sizes = await readCachedSizes(ctx, server)
    return new Map([...sizes].filter(([name]) => names.includes(name)))
  } catch (error) {
    if (!(error instanceof RemoteError)) throw error
    ctx.log.info({ server: server.id, reason: error.message }, 'Failed to measure volumes')
    return new Map()
  }
}

function readCachedSizes(ctx: Context, server: ServerRow): Promise<Map<string, number>> {
  const { volumeSizes: cache } = ctx
  const known = cache.get(server.id)
  if (known) return known
  const sizes = readVolumeSizes(getServerHost(ctx, server).docker)
  cache.set(server.id, sizes)
  sizes.catch(() => cache.delete(server.id))
  return sizes
}

async function readVolumeSizes(docker: Docker): Promise<Map<string, number>> {
  const { Volumes: volumes } = await docker.json<DiskUsage>({
    path: '/system/df',
    timeout: MEASURE_TIMEOUT_MS,
  })
  // -1 means unknown.
  const known = (volumes ?? []).filter(({ UsageData: usage }) => (usage?.Size ?? -1) >= 0)
  return new Map(known.map(({ Name: name, UsageData: usage }) => [name, usage?.Size ?? 0]))
}
