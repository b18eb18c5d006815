import type { Context } from '../../context.ts'
import { Problem } from '../../errors.ts'
import { nudge } from '../../events.ts'
import { NoProxy } from '../../remote/proxy/files.ts'
import { ProxyRefused } from '../../remote/proxy/reload.ts'
import { sayWhy } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { type Follower, listFollowers, setProxyError } from './store.ts'

/** Ports that the proxy goes without, and who has them, where that is known. */
export type Taken = ReadonlyMap<number, string | null>

/** Writes down why the proxy does not follow, for whoever looks at an application; and that it does again. */
export async function noted(ctx: Context, server: ServerRow, work: () => Promise<Taken>): Promise<void> {
  try {
    const taken = await work()
    await note(ctx, server, (row) => withoutPorts(row, taken))
  } catch (error) {
    const why = whyNot(server, error)
    // It may be only this server that cannot be reached; others of the machine are none of its business.
    if (why !== undefined) await note(ctx, server, (row) => (row.id === server.id ? why : row.proxy_error))
    throw error
  }
}

/** The proxy has followed or not, whether that can be written down or not. */
async function note(ctx: Context, server: ServerRow, errorOf: (row: Follower) => string | null) {
  try {
    for (const row of await listFollowers(ctx.db, server)) {
      const error = errorOf(row)
      if (error === row.proxy_error) continue
      await setProxyError(ctx.db, row.workspace_id, row.id, error)
      await nudge(ctx.db, row.workspace_id, 'application.changed', row.id)
    }
  } catch (error) {
    ctx.log.warn({ server: server.id, why: String(error) }, 'Could not save the proxy status.')
  }
}

function withoutPorts({ ports }: Follower, taken: Taken): string | null {
  const missing = ports.filter((port) => taken.has(port))
  if (missing.length === 0) return null
  const each = missing.map((port) => `port ${port} (${taken.get(port) ?? 'another program'})`)
  return `The proxy cannot listen on ${each.join(', ')}: already in use by another program on the server. Stop that program or choose another port. Slipway retries every minute.`
}

/** Nothing for what is no failure of the server; and one that nobody has set up yet is expected to have no proxy. */
function whyNot(server: ServerRow, error: unknown): string | undefined {
  if (error instanceof NoProxy && server.status !== 'ready') return undefined
  // Its words can name what belongs to other workspaces on the machine.
  if (error instanceof ProxyRefused)
    return `The proxy of ${server.name} rejected the new configuration. The previous one stays active, and Slipway retries. If this persists, run setup again.`
  const said = sayWhy(server, error)
  return said instanceof Problem ? said.message : undefined
}
