import type { Context } from '../../context.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { composeOf, findRelease } from '../applications/release.ts'
import type { Model } from '../compose/model.ts'
import { folderOf } from '../compose/names.ts'
import type { ServerRoute } from '../compose/network-powers.ts'
import { powersBeyond } from '../compose/powers-beyond.ts'
import type { ServerRow } from '../servers/server.ts'
import { listOwnNames } from './own-names.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

interface Options {
  routes: readonly ServerRoute[]
  signal: AbortSignal
  /** It is gone back to. */
  wasLive: boolean
}

/** Power over the server that what runs does not have already, as sentences. */
export async function newPowers(
  { ctx, application, server }: Of,
  model: Model,
  { routes, signal, wasLive }: Options,
): Promise<string[]> {
  const own = await listOwnNames(ctx, server, { routes, signal })
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const before = live && composeOf(ctx, live)?.model
  return powersBeyond(model, { before, folder: folderOf(application), own, routes, wasLive })
}
