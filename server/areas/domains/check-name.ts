import type { Context } from '../../context.ts'
import { isPublicAddress } from '../../platform/net/is-public.ts'
import { listHostNames } from '../applications/hosts/host-names.ts'
import { isReservedHost } from '../applications/hosts/reserved-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { webPortsOf } from '../servers/web-ports.ts'
import { type ClaimedHost, probe } from './challenges.ts'
import { NotYet } from './not-issued.ts'
import { noteEvidence, otherPort, proveHost } from './prove-host.ts'

/**
 * Throws `NotYet` unless the workspace has proven that it controls the name and a certificate authority that asks for it would be
 * led to the proxy of one of these servers: its patience with wrong answers is short. Returns the servers that can answer.
 */
export async function checkName(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
): Promise<ServerRow[]> {
  const { workspace_id: workspaceId, host } = claimed
  const held = (await listHostNames(ctx.db, workspaceId, [host])).get(host)
  if (!held || isReservedHost(ctx.config, host))
    throw new NotYet(`${host} does not belong to this workspace any more.`)
  const usable = servers.filter((server) => webPortsOf(server).http_port === 80)
  const evidence = await proveHost(ctx, claimed, usable.length > 0 ? usable : servers)
  if (!(await noteEvidence(ctx.db, claimed, evidence)))
    throw new NotYet(`${host} does not belong to this workspace any more.`)
  const [other] = servers
  if (usable.length === 0 && other) throw new NotYet(otherPort(other.name, webPortsOf(other).http_port))
  // A TXT record that was found once may have been removed since; the authority looks for itself in any case.
  if (!evidence.proof && held.proof !== 'dns_txt') throw new NotYet(evidence.problem)
  if (evidence.proof !== 'server') await mustBeRelayed(ctx, claimed, usable, evidence)
  return usable
}

/** Each of them may keep Slipway waiting for seconds. */
const MOST_ADDRESSES = 8

/** The name leads to a load balancer, a CDN or a router, which has to lead to the proxy of one of these servers. */
async function mustBeRelayed(
  ctx: Context,
  claimed: ClaimedHost,
  servers: readonly ServerRow[],
  { addresses, problem }: { addresses: string[]; problem: string },
): Promise<void> {
  const outside = addresses.filter(isPublicAddress).slice(0, MOST_ADDRESSES)
  if (outside.length === 0) throw new NotYet(problem)
  const why = await probe(ctx, claimed, servers, outside)
  if (why !== undefined)
    throw new NotYet(
      `${claimed.host} points to ${outside.join(' and ')}, but port 80 there does not lead to ${servers.map(({ name }) => name).join(' or ')}: ${why}. Have it pass requests on, or set the record of the name to the address of the server.`,
    )
}
