import { EventEmitter } from 'node:events'
import type { z } from 'zod'
import type { Id } from '../../../contract/shared/ids.ts'
import type { outputEvent } from '../../../contract/shared/outputs.ts'
import type { Context } from '../../context.ts'
import type { Bus } from '../../platform/bus.ts'
import type { LiveEvent } from '../../route.ts'
import type { Db } from '../../tables.ts'
import {
  deleteOutputs,
  deleteOutputRows,
  insertOutputs,
  listLastOutputs,
  listOutputs,
  measureOutputs,
  type NewOutput,
} from './store.ts'

export type { NewOutput }

type WithSecrets = Pick<Context, 'secrets'>

/** Appends in the transaction that also saves the read position. */
export const appendOutput = (
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  pieces: NewOutput[],
) => insertOutputs(secrets, db, workspaceId, source, pieces)

export const deleteOutput = (db: Db, workspaceId: Id<'workspace'>, sources: string[]) =>
  deleteOutputs(db, workspaceId, sources)

export const measureOutput = measureOutputs
export const deletePieces = deleteOutputRows

/** Reads all output, separated by stream. */
export async function readOutput(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
) {
  const rows = await listOutputs(secrets, db, workspaceId, source, 0, 1_000_000)
  const of = (stream: 'stdout' | 'stderr') =>
    rows
      .filter((row) => row.stream === stream)
      .map(({ text }) => text)
      .join('')
  return { stdout: of('stdout'), stderr: of('stderr') }
}

/** Reads the lines of both streams in order. */
export async function readLines(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
): Promise<string[]> {
  const rows = await listOutputs(secrets, db, workspaceId, source, 0, 1_000_000)
  const text = rows.map((row) => row.text).join('')
  return text === '' ? [] : text.replace(/\n$/, '').split('\n')
}

/** Reads the last lines, as far as the last pieces contain them. */
export async function readLastLines(
  { secrets }: WithSecrets,
  db: Db,
  workspaceId: Id<'workspace'>,
  source: string,
  most: number,
): Promise<string[]> {
  const text = (await listLastOutputs(secrets, db, workspaceId, source, most + 1)).join('')
  return text === '' ? [] : text.replace(/\n$/, '').split('\n').slice(-most)
}

interface FollowOptions {
  source: string
  after: string | undefined
  signal: AbortSignal
  /** Called before the last read, so that no output follows the end. */
  isOver: () => Promise<boolean>
  /** Called before each batch of output. */
  mayRead: () => Promise<boolean>
}

const pageSize = 500
/** The end is no output row, so it is polled. */
const pollInterval = 2_000

/** Streams existing output, then new output, then the end. */
export async function* followOutput(
  ctx: Context,
  workspaceId: Id<'workspace'>,
  { source, after, signal, isOver, mayRead }: FollowOptions,
): AsyncGenerator<LiveEvent<z.input<typeof outputEvent>>> {
  const news = createNotifier(ctx, source, signal)
  await ctx.bus.ready()
  yield { id: '', data: { type: 'connected' } }
  // Ignores invalid IDs.
  let last = /^\d{1,9}$/.test(after ?? '') ? Number(after) : 0
  while (!signal.aborted) {
    const over = await isOver()
    for (;;) {
      const rows = await listOutputs(ctx.secrets, ctx.db, workspaceId, source, last, pageSize)
      // Checked after reading, so that a removed member sees nothing newer.
      if (rows.length > 0 && !(await mayRead())) return
      for (const { seq, stream, text, created_at } of rows) {
        yield { id: String(seq), data: { type: 'output', stream, text, at: created_at.toISOString() } }
        last = seq
      }
      if (rows.length < pageSize) break
    }
    if (over) {
      yield { id: '', data: { type: 'end' } }
      return
    }
    await news.next()
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

/**
 * Resolves when there may be new output: after a notification or the poll interval. Coalesces notifications.
 */
function createNotifier(ctx: Context, source: string, signal: AbortSignal) {
  const hub = ctx.outputHub
  let told = false
  let wake: (() => void) | undefined
  const tell = () => {
    told = true
    wake?.()
  }
  for (const name of [source, 'all']) hub.on(name, tell)
  const stop = () => {
    for (const name of [source, 'all']) hub.off(name, tell)
    wake?.()
  }
  if (signal.aborted) stop()
  else signal.addEventListener('abort', stop, { once: true })
  return {
    async next() {
      if (!told && !signal.aborted)
        await new Promise<void>((resolve) => {
          const timer = setTimeout(resolve, pollInterval)
          wake = () => {
            clearTimeout(timer)
            resolve()
          }
        })
      told = false
    },
  }
}
