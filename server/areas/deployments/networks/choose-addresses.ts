import { sql } from 'kysely'
import type { Trx } from '../../../tables.ts'
import { listInstancesOn } from '../../applications/instance.ts'
import { freeAddresses } from './addresses.ts'
import { type Attempt, Failed } from '../run/attempt.ts'
import type { OwnPlace } from './own-networks.ts'

/** Others of the server do not choose theirs until the transaction ends. */
export async function chooseAddresses(
  { application, server }: Attempt,
  trx: Trx,
  { network, subnet }: OwnPlace,
  count: number,
): Promise<string[]> {
  if (count === 0) return []
  const { workspace_id, server_id } = application
  await sql`select pg_advisory_xact_lock(hashtextextended(${`addresses:${server_id}`}, 0))`.execute(trx)
  const taken = (await listInstancesOn(trx, workspace_id, server_id)).flatMap(({ address }) => address ?? [])
  const addresses = freeAddresses(subnet, taken, count)
  if (addresses.length < count)
    throw new Failed(
      `The network ${network} on ${server.name} has no free IP addresses. Remove unused containers, then deploy again.`,
    )
  return addresses
}
