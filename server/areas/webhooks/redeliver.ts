import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../platform/ids.ts'
import type { Actor } from '../../route.ts'
import { getDeliveryRow, presentDelivery } from './routes.ts'
import { openPayload, sealPayload } from './payload.ts'
import { handleDeliveriesJob } from './delivery-queue.ts'
import { insertDelivery } from './store.ts'

/** Creates a new row, so that the earlier result is kept. */
export async function redeliver(ctx: Context, actor: Actor, id: Id<'delivery'>) {
  const original = await getDeliveryRow(ctx, actor, id)
  const newDeliveryId = newId('delivery')
  await insertDelivery(
    ctx.db,
    ctx.secrets,
    {
      ...original,
      id: newDeliveryId,
      payload_sealed: sealPayload(ctx, newDeliveryId, openPayload(ctx, original)),
      // Redeliveries are exempt from duplicate detection.
      delivery: `${newDeliveryId} of ${original.delivery}`,
      headers: JSON.stringify(original.headers),
      redelivery_of: id,
      body_hash: null,
    },
    handleDeliveriesJob(original.workspace_id, original.queue),
  )
  return presentDelivery(await getDeliveryRow(ctx, actor, newDeliveryId))
}
