import type { Context } from '../../../context.ts'
import { findGone } from './store.ts'

/** Ends the connections to servers that were deleted, in whichever process: nobody uses one that is not there. */
export function startForgetting(ctx: Context): () => void {
  return ctx.bus.on('servers', (id) => {
    if (id !== '')
      findGone(ctx.db, id).then(
        (gone) => gone && ctx.hosts.forget(id),
        (error: unknown) => ctx.log.warn({ server: id, why: String(error) }, 'Failed to look up a server.'),
      )
  })
}
