import * as contract from '../../../../contract/setups.ts'
import { route } from '../../../route.ts'
import { getSetup, startSetup, streamSetup } from '../setup.ts'

export const setupRoutes = [
  route(contract.startSetup, async (ctx, { caller, params }) => ({
    setup: await startSetup(ctx, caller, params.id),
  })),
  route(contract.getSetup, async (ctx, { caller, params }) => ({
    setup: await getSetup(ctx, caller, params.id),
  })),
  route(contract.streamSetup, (ctx, { caller, params, signal, lastEventId }) =>
    streamSetup(ctx, caller, params.id, { after: lastEventId, signal }),
  ),
]
