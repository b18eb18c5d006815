import { sql } from 'kysely'
import type { Trx } from '../../../tables.ts'
import { listInstancesOn } from '../../applications/instance.ts'
import { findFreeAddresses } from './addresses.ts'
import { type DeploymentRun, DeploymentFailed } from '../run/deployment-run.ts'
import type { NetworkAssignment } from './own-networks.ts'

/** Locks address selection of the server until the transaction ends. */
export async function chooseAddresses(
  { application, server }: DeploymentRun,
  trx: Trx,
  { network, subnet }: NetworkAssignment,
  count: number,
): Promise<string[]> {
  if (count === 0) return []
  const { workspace_id, server_id } = application
  await sql`select pg_advisory_xact_lock(hashtextextended(${`addresses:${server_id}`}, 0))`.execute(trx)
  const taken = (await listInstancesOn(trx, workspace_id, server_id)).flatMap(({ address }) => address ?? [])
  const addresses = findFreeAddresses(subnet, taken, count)
  if (addresses.length < count)
    throw new DeploymentFailed(
      `The network ${network} on ${server.name} has no free IP addresses. Remove unused containers, then deploy again.`,
    )
  return addresses
}
