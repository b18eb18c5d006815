import * as contract from '../../../contract/webhooks.ts'
import { successReply, route } from '../../route.ts'
import { getDelivery, listDeliveries } from './delivery.ts'
import { getHook, rotateHook } from './hook.ts'
import { receive } from './receive.ts'
import { redeliver } from './redeliver.ts'

export const routes = [
  route(contract.receiveEvent, async (ctx, { caller, params, raw }) => {
    await receive(ctx, params.hook, { ...raw, address: caller.address })
    return successReply
  }),
  route(contract.listDeliveries, (ctx, { caller, query }) => listDeliveries(ctx, caller, query)),
  route(contract.getDelivery, async (ctx, { caller, params }) => ({
    delivery: await getDelivery(ctx, caller, params.id),
  })),
  route(contract.redeliver, async (ctx, { caller, params }) => ({
    delivery: await redeliver(ctx, caller, params.id),
  })),
  route(contract.getHook, async (ctx, { caller, params }) => ({
    hook: await getHook(ctx, caller, params.id),
  })),
  route(contract.rotateHook, async (ctx, { caller, params }) => ({
    hook: await rotateHook(ctx, caller, params.id),
  })),
]
