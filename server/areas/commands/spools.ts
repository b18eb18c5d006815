import { setTimeout as sleep } from 'node:timers/promises'
import type { Id } from '../../../contract/shared/ids.ts'
import type { Context } from '../../context.ts'
import { removeDetached } from '../../remote/detached.ts'
import { getServerHost } from '../servers/server-host.ts'
import type { ServerRow } from '../servers/server.ts'
import { markSpoolsRemoved } from './leases.ts'

/** Milliseconds without a finished command after which files are removed. */
const idleDelay = 500
/** Removes them sooner when there are this many. */
const maxPending = 50

export interface SpoolRef {
  server: ServerRow
  id: Id<'command'>
}

/** An hourly job removes what fails here: the row records the leftover until then. */
export async function removeSpools(ctx: Context, left: SpoolRef[]): Promise<void> {
  const away = new Set<Id<'server'>>()
  const removed: Id<'command'>[] = []
  for (const { server, id } of left) {
    if (away.has(server.id)) continue
    try {
      await removeDetached(getServerHost(ctx, server), id)
      removed.push(id)
    } catch (error) {
      away.add(server.id)
      ctx.log.debug(
        { server: server.id, why: String(error) },
        'Could not remove command files from a server. Retrying later.',
      )
    }
  }
  try {
    if (removed.length > 0) await markSpoolsRemoved(ctx.db, removed)
  } catch (error) {
    ctx.log.debug({ why: String(error) }, 'Could not record that command files were removed.')
  }
}

/** Removes files of finished commands when idle, so that no request waits for it. */
export class Spools {
  private readonly ctx: Context
  private left: SpoolRef[] = []
  private timer: NodeJS.Timeout | undefined
  private sweeping = Promise.resolve()

  constructor(ctx: Context) {
    this.ctx = ctx
  }

  remove(server: ServerRow, id: Id<'command'>): void {
    this.left.push({ server, id })
    clearTimeout(this.timer)
    this.timer = setTimeout(() => this.sweep(), this.left.length < maxPending ? idleDelay : 0).unref()
  }

  private sweep(): void {
    const left = this.left.splice(0)
    this.sweeping = this.sweeping.then(() => removeSpools(this.ctx, left))
  }

  /** Leaves the rest to the hourly job. */
  async stop(): Promise<void> {
    clearTimeout(this.timer)
    this.sweep()
    await Promise.race([this.sweeping, sleep(1_000, undefined, { ref: false })])
  }
}
