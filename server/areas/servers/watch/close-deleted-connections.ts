import type { Context } from '../../../context.ts'
import { isServerDeleted } from './store.ts'

/** Closes the connections of this process to deleted servers. */
export function closeDeletedConnections(ctx: Context): () => void {
  return ctx.bus.on('servers', (id) => {
    if (id !== '')
      isServerDeleted(ctx.db, id).then(
        (gone) => gone && ctx.hosts.disconnect(id),
        (error: unknown) => ctx.log.warn({ server: id, why: String(error) }, 'Failed to look up a server.'),
      )
  })
}
