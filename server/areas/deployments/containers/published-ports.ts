import type { Context } from '../../../context.ts'
import { newId } from '../../../platform/ids.ts'
import type { Trx } from '../../../tables.ts'
import type { ApplicationRow } from '../../applications/application.ts'
import { claimRoutes } from '../../applications/hosts/claim-routes.ts'
import { listPortRows, putPorts } from '../../applications/entries/entries-store.ts'
import { requestProxySync } from '../../applications/hosts/proxy-sync.ts'
import type { ListenAddress } from '../../compose/ports-overlap.ts'
import type { ProxyPort } from '../../compose/ports.ts'
import type { ServerRow } from '../../servers/server.ts'

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

/**
 * Replaces the published ports and keeps the claim time of unchanged ones. Requests a proxy sync for removed
 * ports, in case the deployment is interrupted.
 */
export async function savePublishedPorts(
  ctx: Pick<Context, 'secrets'>,
  trx: Trx,
  application: Pick<ApplicationRow, 'workspace_id' | 'id' | 'server_id'>,
  ports: ProxyPort[],
): Promise<void> {
  const { workspace_id, id } = application
  const rows = await listPortRows(trx, workspace_id, id)
  const gone = rows.filter((row) => !ports.some((port) => isSameListener(row, port)))
  if (gone.length > 0) {
    const ids = gone.map((row) => row.id)
    await trx
      .deleteFrom('published_ports')
      .where('workspace_id', '=', workspace_id)
      .where('application_id', '=', id)
      .where('id', 'in', ids)
      .execute()
    await requestProxySync(ctx, trx, application)
  }
  await putPorts(
    trx,
    workspace_id,
    ports.map((port) => ({ ...port, id: newId('publishedPort'), workspace_id, application_id: id })),
  )
}

const isSameListener = (one: ListenAddress, other: ListenAddress) =>
  one.host === other.host && one.source === other.source
