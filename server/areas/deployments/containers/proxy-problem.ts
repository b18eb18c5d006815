import type { Context } from '../../../context.ts'
import { hostOf } from '../../servers/reach.ts'
import type { ServerRow } from '../../servers/server.ts'

/** Returns undefined if the proxy is installed. */
export async function proxyProblem(
  { ctx, server }: { ctx: Context; server: ServerRow },
  signal: AbortSignal,
): Promise<string | undefined> {
  const filters = JSON.stringify({ label: ['slipway.proxy'] })
  const query = new URLSearchParams({ all: '1', filters }).toString()
  const { docker } = hostOf(ctx, server)
  const found = await docker.json<unknown[]>({ path: `/containers/json?${query}`, signal })
  return found.length > 0 && server.machine !== null
    ? undefined
    : `The proxy on ${server.name} is not running. Run setup again, then deploy.`
}
