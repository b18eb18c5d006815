import { EventEmitter } from 'node:events'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { outputEvent } from '../../../contract/shared/replies.ts'
import type { Context } from '../../context.ts'
import { createNotifier } from '../../platform/async.ts'
import type { Bus } from '../../platform/bus.ts'
import type { LiveEvent } from '../../route.ts'
import { listOutputs } from './output.ts'

interface FollowOptions {
  source: string
  after: string | undefined
  signal: AbortSignal
  /** Returns whether the output is complete. Called before the last read, so that no output follows the end. */
  isOver: () => Promise<boolean>
  mayRead: () => Promise<boolean>
}

const pageSize = 500
const pollInterval = 2_000

export async function* followOutput(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  { source, after, signal, isOver, mayRead }: FollowOptions,
): AsyncGenerator<LiveEvent<z.input<typeof outputEvent>>> {
  const news = createNotifier()
  const names = [source, 'all']
  for (const name of names) ctx.outputHub.on(name, news.notify)
  const stop = () => {
    for (const name of names) ctx.outputHub.off(name, news.notify)
    news.notify()
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  await ctx.bus.ready()
  yield { id: '', data: { type: 'connected' } }
  let last = /^\d{1,9}$/.test(after ?? '') ? Number(after) : 0
  while (!signal.aborted) {
    const over = await isOver()
    for (;;) {
      const rows = await listOutputs(ctx, ctx.db, workspaceId, source, last, pageSize)
      // The permission is checked after the read, so that a removed member sees nothing newer.
      if (rows.length > 0 && !(await mayRead())) return
      for (const { seq, stream, origin, text, created_at } of rows) {
        const output = { stream, text, ...(origin && { origin }), at: created_at.toISOString() }
        yield { id: String(seq), data: { type: 'output', ...output } }
        last = seq
      }
      if (rows.length < pageSize) break
    }
    if (over) {
      yield { id: '', data: { type: 'end' } }
      return
    }
    await news.next(pollInterval)
    if (!(await mayRead())) return
  }
}

export function createOutputHub(bus: Bus): EventEmitter {
  const hub = new EventEmitter().setMaxListeners(0)
  bus.on('outputs', (source) => hub.emit(source))
  bus.on('access', () => hub.emit('all'))
  bus.onReconnect(() => hub.emit('all'))
  return hub
}
