import type { Area } from '../../area.ts'
import { z } from 'zod'
import { id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { defineJob } from '../../platform/jobs.ts'
import { deleteOldPulls, failOrphanedPulls, pullImage } from './pull-image.ts'
import * as contract from '../../../contract/images.ts'
import { successReply, route } from '../../route.ts'
import { cancelPull, getPull, listPulls, requestPull } from './pull.ts'
import { listImages } from './image.ts'
import { previewPrune, pruneImages } from './prune-images.ts'
import { removeImage } from './remove-image.ts'

const routes = [
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

const payload = z.object({ workspace_id: id('workspace'), pull_id: id('pull') })
const nothing = z.object({})

const jobs = [
  defineJob<Context, typeof payload>('pull-image', payload, (ctx, payload, run) =>
    pullImage(ctx, payload.workspace_id, payload.pull_id, run),
  ),
  defineJob<Context, typeof nothing>('tidy-pulls', nothing, async (ctx) => {
    await failOrphanedPulls(ctx)
    await deleteOldPulls(ctx)
  }),
]

const schedules = [
  { name: 'tidy-pulls', everySeconds: 60, job: { kind: 'tidy-pulls', payload: {}, lane: 'poll' as const } },
]

export const imagesArea: Area = {
  name: 'images',
  routes,
  jobs,
  schedules,
}
