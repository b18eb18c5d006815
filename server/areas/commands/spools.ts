import type { Id } from '../../../contract/ids.ts'
import type { Context } from '../../context.ts'
import { removeDetached } from '../../remote/detached.ts'
import { hostOf } from '../servers/reach.ts'
import type { ServerRow } from '../servers/server.ts'
import { noteRemoved } from './leases.ts'

/** What commands leave on their servers, removed when nobody waits for them any more. */
export class Spools {
  private readonly ctx: Context
  private readonly under = new Set<Promise<void>>()
  private removed: Id<'command'>[] = []

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  remove(server: ServerRow, id: Id<'command'>): void {
    const removing = this.tryToRemove(server, id).finally(() => this.under.delete(removing))
    this.under.add(removing)
  }

  /** What cannot be removed now is by the hourly job: its row says so until it is noted here. */
  private async tryToRemove(server: ServerRow, id: Id<'command'>): Promise<void> {
    try {
      await removeDetached(hostOf(this.ctx, server), id)
      this.removed.push(id)
    } catch (error) {
      this.ctx.log.debug({ command: id, why: String(error) }, 'What a command left on its server is still there.')
    }
  }

  /** Many in one statement. */
  async note(): Promise<void> {
    const ids = this.removed.splice(0)
    if (ids.length > 0) await noteRemoved(this.ctx.db, ids)
  }

  async stop(): Promise<void> {
    await Promise.race([Promise.all(this.under), new Promise((resolve) => setTimeout(resolve, 1_000).unref())])
    await this.note()
  }
}
