import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import { getDeliveryRow, present } from './routes.ts'
import { payloadOf, sealPayload } from './payload.ts'
import { handlingOf } from './queue.ts'
import { insertDelivery } from './store.ts'

/** Creates a new row, so that the earlier result is kept. */
export async function redeliver(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const before = await getDeliveryRow(ctx, actor, id)
  const again = newId('delivery')
  await insertDelivery(
    ctx.db,
    ctx.secrets,
    {
      ...before,
      id: again,
      payload_sealed: sealPayload(ctx, again, payloadOf(ctx, before)),
      // Redeliveries are exempt from duplicate detection.
      delivery: `${again} of ${before.delivery}`,
      headers: JSON.stringify(before.headers),
      redelivery_of: id,
      body_hash: null,
    },
    handlingOf(before.workspace_id, before.queue),
  )
  return present(await getDeliveryRow(ctx, actor, again))
}
