import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { nudge } from '../../events.ts'
import type { JobRun } from '../../platform/jobs.ts'
import { transaction } from '../../platform/transaction.ts'
import type { Trx } from '../../tables.ts'
import { getProvider } from '../cloud-tokens/cloud-token.ts'
import type { Provider } from '../providers/provider.ts'
import { changeServer, findServer, lockServer, type ServerRow } from '../servers/server.ts'
import {
  type CloudServerChanges,
  type CloudServerRow,
  findCloudServer,
  lockCloudServer,
  updateCloudServer,
} from './store.ts'
import type { Config } from '../../config.ts'

export interface Creation {
  ctx: Context
  run: JobRun
  provider: Provider
  server: ServerRow
  cloud: CloudServerRow
  /** Monotonic time of the last successful response; undefined before the first one. */
  heard?: number | undefined
  tries: number
}

/** Thrown if the row changed: the server connected, or is to be destroyed. The caller reads the row again. */
export class CreationChanged extends Error {}

export class CreationFailed extends Error {
  readonly changes: CloudServerChanges

  constructor(sentence: string, changes: CloudServerChanges = {}) {
    super(sentence)
    this.changes = changes
  }
}

export async function readCreation(
  ctx: Context,
  run: JobRun,
  workspaceId: Id<'workspace'>,
  id: Id<'server'>,
): Promise<Creation | undefined> {
  const server = await findServer(ctx, workspaceId, id)
  const cloud = await findCloudServer(ctx.db, workspaceId, id)
  if (!server || !cloud) return undefined
  return { ctx, run, provider: getProvider(cloud.provider), server, cloud, tries: 0 }
}

interface Written {
  cloud?: CloudServerChanges
  server?: Pick<Partial<ServerRow>, 'status' | 'reason' | 'address'>
}

/** Saves progress only while the lease is valid and the step is unchanged. */
export async function saveCreationProgress(
  creation: Creation,
  { cloud = {}, server = {} }: Written,
  also: (trx: Trx) => Promise<unknown> = async () => {},
): Promise<void> {
  const { ctx, run, cloud: known } = creation
  const { workspace_id: workspaceId, server_id: id } = known
  const rows = await transaction(ctx.db, async (trx) => {
    await run.assertLease(trx)
    const now = await lockServer(trx, workspaceId, id)
    const atCloud = await lockCloudServer(trx, workspaceId, id)
    if (!now || !atCloud) throw new CreationChanged()
    if (now.status !== 'provisioning' || atCloud.step !== known.step) throw new CreationChanged()
    const isVisible = Object.keys(server).length > 0 || 'step' in cloud || 'status' in cloud
    const row = isEmpty(server) ? now : await changeServer(trx, workspaceId, id, server)
    const made = isEmpty(cloud) ? atCloud : await updateCloudServer(trx, workspaceId, id, cloud)
    if (!row || !made) throw new CreationChanged()
    await also(trx)
    if (isVisible) await nudge(trx, workspaceId, 'server.changed', id)
    return { row, made }
  })
  creation.server = rows.row
  creation.cloud = rows.made
}

const isEmpty = (changes: object) => Object.keys(changes).length === 0

export async function reloadCreation(creation: Creation): Promise<void> {
  const { ctx, run, cloud } = creation
  const now = await readCreation(ctx, run, cloud.workspace_id, cloud.server_id)
  if (now?.server.status !== 'provisioning' || now.cloud.step !== cloud.step) throw new CreationChanged()
  Object.assign(creation, { server: now.server, cloud: now.cloud })
}

type Pace = Pick<Config, 'CLOUD_TIMEOUT'>
type OutsideTimeout = Pick<Config, 'OUTSIDE_TIMEOUT'>

/** Scales polling intervals down for short timeouts (tests). */
export const pollScale = ({ CLOUD_TIMEOUT }: Pace) => Math.min(1, CLOUD_TIMEOUT / 60)

/** Milliseconds for a create request, including a price lookup. */
export const createTimeoutMs = ({ OUTSIDE_TIMEOUT }: OutsideTimeout) => 2_000 * OUTSIDE_TIMEOUT

/** Milliseconds until a created server is visible in the provider's API, which takes up to a minute. */
export const visibilityDelayMs = ({ CLOUD_TIMEOUT }: Pace) => 1_000 * Math.min(120, CLOUD_TIMEOUT / 2)
