import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import type { Actor } from '../../route.ts'
import { getApplicationRow } from '../applications/application.ts'
import { findPointing } from '../applications/points-here.ts'
import { isRelayed } from './check-name.ts'
import { getDomainRow, serverOf } from './domain.ts'

interface Place {
  id: Id<'application'>
  domain_id: Id<'domain'>
}

/** Why the DNS does not lead a name to the server, as a sentence; null when it does. */
export async function checkDns(ctx: Context, actor: Actor, place: Place): Promise<string | null> {
  const application = await getApplicationRow(ctx, actor, place.id)
  const { host } = await getDomainRow(ctx.db, application, place.domain_id)
  const { addresses, says } = await findPointing(ctx, await serverOf(ctx, ctx.db, application), host)
  return says === undefined || (await isRelayed(ctx, host, addresses)) ? null : says
}
