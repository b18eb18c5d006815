import { setTimeout as sleep } from 'node:timers/promises'
import type { Context } from '../../context.ts'
import { transaction } from '../../platform/transaction.ts'
import { findPointing } from '../applications/points-here.ts'
import { requestProxySync } from '../applications/proxy-sync.ts'
import type { ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { isPublic } from '../../platform/is-public.ts'
import { NotYet } from './not-issued.ts'
import { askProxy } from './proxy-answers.ts'

/** How long the proxy gets to follow, and how often it is asked. */
const LIMIT = 15_000
const PAUSE = 500

/**
 * Throws `NotYet` unless a certificate authority that asks for the name would be led to a proxy of ours: its patience
 * with wrong answers is short.
 */
export async function checkName(
  ctx: Context,
  host: string,
  servers: ServerRow[],
  signal: AbortSignal,
): Promise<void> {
  const reasons: string[] = []
  for (const server of servers) {
    const says = await whyNot(ctx, host, server, signal)
    if (says === undefined) return
    reasons.push(says)
  }
  throw new NotYet(reasons[0] ?? `No application uses ${host} any more.`)
}

async function whyNot(ctx: Context, host: string, server: ServerRow, signal: AbortSignal) {
  const { http_port: port } = webPortsOf(server)
  if (port !== 80)
    return `The proxy of ${server.name} listens on port ${port}, and a certificate authority comes to port 80 only. Change the server's HTTP port to 80 and set it up again, or upload a certificate.`
  const { addresses, says } = await findPointing(ctx, server, host)
  if (says === undefined) return whySilent(ctx, host, server, signal)
  return (await isRelayed(ctx, host, addresses)) ? undefined : says
}

/** It may stand behind an address that we do not know: a router, a load balancer. */
export async function isRelayed(ctx: Context, host: string, addresses: readonly string[]): Promise<boolean> {
  for (const address of addresses.filter(isPublic))
    if ((await askProxy(ctx, address, host)) === undefined) return true
  return false
}

/** Gives the proxy a little time to follow a change that may have been made just now. */
async function whySilent(ctx: Context, host: string, server: ServerRow, signal: AbortSignal) {
  const address = server.address ?? '127.0.0.1'
  const until = Date.now() + LIMIT
  let why = await askProxy(ctx, address, host)
  if (why === undefined) return undefined
  const { id: server_id, workspace_id } = server
  await transaction(ctx.db, (trx) => requestProxySync(ctx, trx, { workspace_id, server_id }))
  while (why !== undefined && Date.now() < until) {
    await sleep(PAUSE, undefined, { signal })
    why = await askProxy(ctx, address, host)
  }
  return why === undefined
    ? undefined
    : `${host} points to ${server.name}, but its proxy cannot be reached on port 80: ${why}. Check the server's firewall, and that its set-up went well.`
}
