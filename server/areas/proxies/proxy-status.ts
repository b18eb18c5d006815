import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { ProxyNotInstalled } from '../../remote/proxy/files.ts'
import { ProxyRejected } from '../../remote/proxy/reload.ts'
import { toServerProblem } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { type ProxyServer, listProxyServers, setProxyError } from './store.ts'

/** Ports that the proxy skips, with the program that uses them, if known. */
export type PortsInUse = ReadonlyMap<number, string | null>

/** Saves why the proxy is out of sync, and that it is in sync again. */
export async function withProxyStatus(
  ctx: Context,
  server: ServerRow,
  work: () => Promise<PortsInUse>,
): Promise<void> {
  try {
    const taken = await work()
    await saveProxyStatus(ctx, server, (row) => portsInUseMessage(row, taken))
  } catch (error) {
    const reason = proxyErrorMessage(server, error)
    // Only this server may be unreachable; others on the machine are not affected.
    if (reason !== undefined)
      await saveProxyStatus(ctx, server, (row) => (row.id === server.id ? reason : row.proxy_error))
    throw error
  }
}

/** Saving the status must not fail the sync. */
async function saveProxyStatus(
  ctx: Context,
  server: ServerRow,
  errorOf: (row: ProxyServer) => string | null,
) {
  try {
    for (const row of await listProxyServers(ctx.db, server)) {
      const error = errorOf(row)
      if (error === row.proxy_error) continue
      await setProxyError(ctx.db, row.workspace_id, row.id, error)
      await nudge(ctx.db, row.workspace_id, 'application.changed', row.id)
    }
  } catch (error) {
    ctx.log.warn({ server: server.id, why: String(error) }, 'Could not save the proxy status.')
  }
}

function portsInUseMessage({ ports }: ProxyServer, taken: PortsInUse): string | null {
  const missing = ports.filter((port) => taken.has(port))
  if (missing.length === 0) return null
  const each = missing.map((port) => `port ${port} (${taken.get(port) ?? 'another program'})`)
  return `The proxy cannot listen on ${each.join(', ')}: already in use by another program on the server. Stop that program or choose another port. Slipway retries every minute.`
}

/** Undefined for internal errors, and for servers that were never set up. */
function proxyErrorMessage(server: ServerRow, error: unknown): string | undefined {
  if (error instanceof ProxyNotInstalled && server.status !== 'ready') return undefined
  // The message of HAProxy may name resources of other workspaces.
  if (error instanceof ProxyRejected)
    return `The proxy of ${server.name} rejected the new configuration. The previous one stays active, and Slipway retries. If this persists, run setup again.`
  const said = toServerProblem(server, error)
  return said instanceof Problem ? said.message : undefined
}
