import type { Context } from '../../context.ts'
import type { ApplicationRow } from '../applications/application.ts'
import { composeOf, findRelease } from '../applications/release.ts'
import { canonical, hashOf } from '../compose/hash.ts'
import type { Model } from '../compose/model.ts'
import { hostOf } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { findImage } from './image-of.ts'

interface Of {
  ctx: Context
  application: ApplicationRow
  server: ServerRow
}

/**
 * As they would be if no tag has moved, and nothing of what is built was changed: what runs keeps its image while its name
 * stays the same, and what it is built with.
 */
export async function guessServices({ ctx, application, server }: Of, model: Model, signal: AbortSignal) {
  const live = application.release_id
    ? await findRelease(ctx.db, application.workspace_id, application.release_id)
    : undefined
  const { docker } = hostOf(ctx, server)
  const built = live && composeOf(ctx, live)?.model.services
  return Promise.all(
    Object.entries(model.services).map(async ([name, service]) => {
      const before = live?.config.services?.find((one) => one.name === name)
      const image = service.image ?? name
      const imageId =
        before?.image === image && canonical(service.build) === canonical(built?.[name]?.build)
          ? before.image_id
          : ((await findImage(docker, image, signal))?.Id ?? '')
      return { name, hash: hashOf(service, model, imageId, (text) => ctx.secrets.mark(text)) }
    }),
  )
}
