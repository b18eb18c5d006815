import type { Context } from '../../../context.ts'
import { findGone } from './store.ts'

/** Closes the connections of this process to deleted servers. */
export function startForgetting(ctx: Context): () => void {
  return ctx.bus.on('servers', (id) => {
    if (id !== '')
      findGone(ctx.db, id).then(
        (gone) => gone && ctx.hosts.disconnect(id),
        (error: unknown) => ctx.log.warn({ server: id, why: String(error) }, 'Failed to look up a server.'),
      )
  })
}
