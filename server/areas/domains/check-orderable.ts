import type { Context } from '../../context.ts'
import { isPublicAddress } from '../../platform/net/is-public.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { type ClaimedHost, probeChallenge } from './challenges.ts'
import { OrderPostponed } from './order-errors.ts'
import { saveEvidence, otherPortMessage, proveHost } from './prove-host.ts'

/**
 * Throws `NotYet` unless the workspace controls the name and a challenge would reach the proxy of one of these
 * servers: authorities limit failed validations. Returns the servers that can respond.
 */
export async function checkOrderable(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
): Promise<ServerRow[]> {
  const { workspace_id: workspaceId, host } = claimed
  const held = (await listHostNames(ctx.db, workspaceId, [host])).get(host)
  if (!held || isReservedHost(ctx.config, host))
    throw new OrderPostponed(`The domain ${host} no longer belongs to this workspace.`)
  const usable = servers.filter((server) => webPortsOf(server).http_port === 80)
  const evidence = await proveHost(ctx, claimed, usable.length > 0 ? usable : servers)
  if (!(await saveEvidence(ctx.db, claimed, evidence)))
    throw new OrderPostponed(`The domain ${host} no longer belongs to this workspace.`)
  const [other] = servers
  if (usable.length === 0 && other)
    throw new OrderPostponed(otherPortMessage(other.name, webPortsOf(other).http_port))
  // A TXT record may have been removed since; the authority validates anyway.
  if (!evidence.proof && held.proof !== 'dns_txt') throw new OrderPostponed(evidence.problem)
  if (evidence.proof !== 'server') await mustBeRelayed(ctx, claimed, usable, evidence)
  return usable
}

/** Limited, since each check may wait for seconds. */
const MOST_ADDRESSES = 8

/** The name points to a load balancer, a CDN or a router, which must forward to one of these servers. */
async function mustBeRelayed(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  { addresses, problem }: { addresses: string[]; problem: string },
): Promise<void> {
  const outside = addresses.filter(isPublicAddress).slice(0, MOST_ADDRESSES)
  if (outside.length === 0) throw new OrderPostponed(problem)
  const why = await probeChallenge(ctx, claimed, servers, outside)
  if (why !== undefined)
    throw new OrderPostponed(
      `${claimed.host} points to ${outside.join(' and ')}, but port 80 there does not reach ${servers.map(({ name }) => name).join(' or ')}: ${why}. Forward requests to the server, or point the DNS record to it.`,
    )
}
