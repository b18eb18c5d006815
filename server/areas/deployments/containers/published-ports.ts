import type { Id } from '../../../../contract/shared/ids.ts'
import type { Context } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import { transaction } from '../../../platform/transaction.ts'
import type { Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { listPortRows, upsertPorts } from '../../applications/config.ts'
import { listUsedPorts, portInUseMessage } from '../../applications/entries/port-conflicts.ts'
import { claimRoutes } from '../../applications/hosts/claim-routes.ts'
import { requestProxySync } from '../../servers/proxy-sync.ts'
import { findRelease, type Release } from '../../applications/release.ts'
import type { Model } from '../../compose/model.ts'
import {
  type ListenAddress,
  type ProxyPort,
  type PublishedPorts,
  publishedPorts,
} from '../../compose/ports.ts'
import { getServerHost } from '../../servers/server-host.ts'
import { getWebPorts, type ServerRow } from '../../servers/server.ts'
import { type DeploymentRun, DeploymentFailed, type ServerScope } from '../run/deployment-run.ts'
import { listPublishedPorts } from './route-targets.ts'

/** Returns conflicts as messages; the other ports stay claimed until the transaction ends. */
export async function claimPublishedPorts(
  trx: Trx,
  server: ServerRow,
  { id }: Pick<ApplicationRow, 'id'>,
  ports: ProxyPort[],
): Promise<string[]> {
  const taken = await claimRoutes(trx, server, { application: id, domains: [], ports })
  return taken.map(({ message }) => message)
}

/** Requests a proxy sync for removed ports, in case the deployment is interrupted. */
export async function savePublishedPorts(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  application: Pick<ApplicationRow, 'workspace_id' | 'id' | 'server_id'>,
  ports: ProxyPort[],
): Promise<void> {
  const { workspace_id, id } = application
  const rows = await listPortRows(trx, workspace_id, id)
  const removed = rows.filter((row) => !ports.some((port) => isSameListener(row, port)))
  if (removed.length > 0) {
    const ids = removed.map((row) => row.id)
    await trx
      .deleteFrom('published_ports')
      .where('workspace_id', '=', workspace_id)
      .where('application_id', '=', id)
      .where('id', 'in', ids)
      .execute()
    await requestProxySync(ctx, trx, application)
  }
  await upsertPorts(
    trx,
    workspace_id,
    ports.map((port) => ({ ...port, id: newId('publishedPort'), workspace_id, application_id: id })),
  )
}

const isSameListener = (one: ListenAddress, other: ListenAddress) =>
  one.host === other.host && one.source === other.source

export function composePorts(model: Model, server: ServerRow): PublishedPorts {
  const { http_port, https_port } = getWebPorts(server)
  return publishedPorts(model, [http_port, https_port])
}

export async function portProblems(
  { ctx, application, server }: ServerScope,
  ports: ProxyPort[],
  signal: AbortSignal,
): Promise<string[]> {
  if (ports.length === 0) return []
  const claimed = await transaction(ctx.db, (trx) => claimPublishedPorts(trx, server, application, ports))
  if (claimed.length > 0) return claimed
  const ours = await listPublishedPorts(ctx.db, application)
  const taken = await listUsedPorts(getServerHost(ctx, server), ports, { signal, ours })
  return [...taken].map(([port, by]) => portInUseMessage(server, port, by))
}

export async function publishPorts(
  { ctx, application, server }: ServerScope,
  trx: Trx,
  release: Pick<Release, 'config'>,
): Promise<void> {
  const ports = releasePorts(release)
  if (!ports) return
  const [why] = await claimPublishedPorts(trx, server, application, ports)
  if (why) throw new DeploymentFailed(why)
  await savePublishedPorts(ctx, trx, application, ports)
}

export async function restorePublishedPorts(
  { ctx, application }: DeploymentRun,
  trx: Trx,
  before: Id<'release'> | null,
): Promise<void> {
  if (application.compose_sealed === null) return
  const release = before && (await findRelease(trx, application.workspace_id, before))
  await savePublishedPorts(ctx, trx, application, (release && releasePorts(release)) || [])
}

/** Returns undefined for images, whose ports are not part of the release. */
export const releasePorts = ({ config }: Pick<Release, 'config'>) =>
  config.services?.flatMap(({ name, ports }) => ports.map((port) => ({ ...port, service: name })))
