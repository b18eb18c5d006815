import * as contract from '../../../contract/images.ts'
import { successReply, route } from '../../route.ts'
import { cancelPull } from './cancel-pull.ts'
import { listImages } from './image.ts'
import { previewPrune, pruneImages } from './prune.ts'
import { getPull, listPulls } from './pull.ts'
import { removeImage } from './remove-image.ts'
import { requestPull } from './request-pull.ts'

export const routes = [
  route(contract.listImages, (ctx, { caller, params, query }) => listImages(ctx, caller, params.id, query)),
  route(contract.pullImage, async (ctx, { caller, params, body }) => ({
    pull: await requestPull(ctx, caller, params.id, body.image),
  })),
  route(contract.listPulls, (ctx, { caller, params, query }) => listPulls(ctx, caller, params.id, query)),
  route(contract.getPull, async (ctx, { caller, params }) => ({ pull: await getPull(ctx, caller, params) })),
  route(contract.cancelPull, async (ctx, { caller, params }) => ({
    pull: await cancelPull(ctx, caller, params),
  })),
  route(contract.removeImage, async (ctx, { caller, params, query }) => {
    await removeImage(ctx, caller, params, query)
    return successReply
  }),
  route(contract.previewPrune, async (ctx, { caller, params, query }) => ({
    prune: await previewPrune(ctx, caller, params.id, query.all),
  })),
  route(contract.pruneImages, async (ctx, { caller, params, body }) => ({
    prune: await pruneImages(ctx, caller, params.id, body.all),
  })),
]
